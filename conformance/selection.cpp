// What the options of several commands mean.
#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string_view>

#include "conformance/commands.hpp"
#include "conformance/exit_code.hpp"
#include "properties/catalogue.hpp"

namespace ampcheck::conformance {

namespace {

std::vector<std::string> split(const std::string& globs) {
  std::vector<std::string> all;
  std::stringstream text(globs + ",");
  for (std::string glob; std::getline(text, glob, ',');) all.push_back(glob);
  return all;
}

bool matches(const std::string& glob, std::string_view clause) {
  return fnmatch(glob.c_str(), std::string(clause).c_str(), 0) == 0;
}

// A glob that selects nothing is a mistake of who wrote it, also beside others that do.
void expect_a_match(const std::string& glob) {
  for (const properties::Clause& clause : properties::clauses())
    if (matches(glob, clause.id)) return;
  for (const properties::CatalogueEntry& entry : properties::catalogue())
    if (matches(glob, entry.clause))
      throw Exit(kUsage, "--clauses " + glob + ": in the catalogue, and no cases for it yet (" +
                             entry.clause + ")");
  throw Exit(kUsage,
             "--clauses " + glob + ": no clause has such an id; `ampcheck list` names them");
}

}  // namespace

bool is_selected(std::string_view clause, const std::string& globs) {
  const std::vector<std::string> all = split(globs);
  return std::any_of(all.begin(), all.end(),
                     [&](const std::string& glob) { return matches(glob, clause); });
}

std::vector<const properties::Clause*> select_clauses(const std::string& globs) {
  for (const std::string& glob : split(globs)) {
    if (glob.empty()) throw Exit(kUsage, "--clauses " + globs + ": an empty glob");
    expect_a_match(glob);
  }
  std::vector<const properties::Clause*> selected;
  for (const properties::Clause& clause : properties::clauses())
    if (is_selected(clause.id, globs)) selected.push_back(&clause);
  return selected;
}

std::uint64_t parse_seed(const std::string& text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end)
    throw Exit(kUsage, "--seed " + text + ": expected an integer from 0 to 2^64-1");
  return value;
}

std::int64_t cases_of_level(const std::string& level) {
  if (level == "smoke") return 40;
  if (level == "standard") return 200;
  if (level == "deep") return 2000;
  throw Exit(kUsage, "--level " + level + ": expected smoke, standard or deep");
}

double parse_budget(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  const std::string unit(rest, end);
  const double factor = unit == "s"    ? 1
                        : unit == "m"  ? 60
                        : unit == "h"  ? 3600
                        : unit == "ms" ? 0.001
                                       : 0;
  if (error != std::errc() || factor == 0 || !(value > 0) || value * factor > kMostSeconds)
    throw Exit(kUsage, "--budget " + text + ": expected a time such as 60s, 5m, 1h or 500ms");
  return value * factor;
}

double parse_shrink(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || !(value >= 0 && value <= kMostSeconds))
    throw Exit(kUsage, "--shrink " + text + ": expected seconds, 0 for none");
  return value;
}

}  // namespace ampcheck::conformance
