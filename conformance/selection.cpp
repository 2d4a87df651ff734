// What the options of several commands mean.
#include <fnmatch.h>

#include <charconv>

#include "conformance/commands.hpp"
#include "conformance/exit_code.hpp"
#include "properties/catalogue.hpp"

namespace ampcheck::conformance {

std::vector<const properties::Clause*> select_clauses(const std::string& glob) {
  std::vector<const properties::Clause*> selected;
  for (const properties::Clause& clause : properties::clauses())
    if (fnmatch(glob.c_str(), std::string(clause.id).c_str(), 0) == 0) selected.push_back(&clause);
  if (!selected.empty()) return selected;
  for (const properties::CatalogueEntry& entry : properties::catalogue())
    if (fnmatch(glob.c_str(), entry.clause.c_str(), 0) == 0)
      throw Exit(kUsage, "--clauses " + glob + ": in the catalogue, and no cases for it yet (" +
                             entry.clause + ")");
  throw Exit(kUsage,
             "--clauses " + glob + ": no clause has such an id; `ampcheck list` names them");
}

std::int64_t cases_of_level(const std::string& level) {
  if (level == "smoke") return 40;
  if (level == "standard") return 200;
  if (level == "deep") return 2000;
  throw Exit(kUsage, "--level " + level + ": expected smoke, standard or deep");
}

double parse_seconds(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  const std::string unit(rest, end);
  const double factor = unit == "s"    ? 1
                        : unit == "m"  ? 60
                        : unit == "h"  ? 3600
                        : unit == "ms" ? 0.001
                                       : 0;
  if (error != std::errc() || factor == 0 || !(value > 0) || value > 1e9)
    throw Exit(kUsage, "--budget " + text + ": expected a time such as 60s, 5m, 1h or 500ms");
  return value * factor;
}

}  // namespace ampcheck::conformance
