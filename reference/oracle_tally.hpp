// What several oracles answered to the same questions: how often, and where they disagreed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reference/admissible.hpp"
#include "reference/number_format.hpp"

namespace ampcheck::reference {

// "3c00 = 0x1p+0"
std::string show(std::uint64_t bits, const NumberFormat& f);

struct OracleTally {
  static constexpr std::size_t kMostShown = 5;

  std::int64_t comparisons = 0;  // results that all three were asked for
  std::int64_t disagreements = 0;
  std::vector<std::string> first;  // in bits and hex floats, at most kMostShown

  // The sets that three oracles give, in order and with second::kAnyNan for all NaNs; what() names
  // the question, and is asked for only where they disagree.
  using Set = std::vector<std::uint64_t>;
  template <typename What>
  void compare(const NumberFormat& f, const Set& exact, const Set& fast, const Set& second,
               What what) {
    ++comparisons;
    if (exact != fast || exact != second) disagree(what() + answers(f, exact, fast, second));
  }
  // One pattern each.
  template <typename What>
  void compare(const NumberFormat& f, std::uint64_t exact, std::uint64_t fast, std::uint64_t second,
               What what) {
    ++comparisons;
    if (exact != fast || exact != second) disagree(what() + answers(f, {exact}, {fast}, {second}));
  }
  void disagree(const std::string& sentence);
  void add(const OracleTally& other);

 private:
  static std::string answers(const NumberFormat& f, const Set& exact, const Set& fast,
                             const Set& second);
};

}  // namespace ampcheck::reference
