#include "reference/oracle_tally.hpp"

#include "reference/second_oracle.hpp"

namespace ampcheck::reference {
namespace {

std::string show(const OracleTally::Set& set, const NumberFormat& f) {
  std::string text = "{";
  for (const std::uint64_t bits : set)
    text += (text.size() == 1 ? "" : ", ") +
            (bits == second::kAnyNan ? "nan" : reference::show(bits, f));
  return text + "}";
}

}  // namespace

std::string show(std::uint64_t bits, const NumberFormat& f) {
  return to_hex_bits(bits, f) + " = " + to_hex_float(bits, f);
}

void OracleTally::disagree(const std::string& sentence) {
  ++disagreements;
  if (first.size() < kMostShown) first.push_back(sentence);
}

void OracleTally::add(const OracleTally& other) {
  comparisons += other.comparisons;
  disagreements += other.disagreements;
  for (const std::string& one : other.first)
    if (first.size() < kMostShown) first.push_back(one);
}

std::string OracleTally::answers(const NumberFormat& f, const Set& exact, const Set& fast,
                                 const Set& second) {
  return ": exact " + show(exact, f) + ", fast " + show(fast, f) + ", second " + show(second, f);
}

}  // namespace ampcheck::reference
