#include "conformance/coverage_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "properties/coverage/unreachable.hpp"

namespace ampcheck::conformance {

using Json = nlohmann::ordered_json;
using properties::Coverage;
using properties::CoverageCell;
using properties::RoundingSituation;

namespace {

constexpr std::string_view kNotFinite = "not finite";

std::string_view situation_name(const CoverageCell& cell) {
  return cell.situation ? name_of(*cell.situation) : kNotFinite;
}

bool begins_a_row(const CoverageCell& cell) {
  return !cell.situation || *cell.situation == RoundingSituation::exact;
}

// How often the cell was met, or the number of the reason why it cannot be.
std::string shown(const CoverageCell& cell, const Coverage& coverage,
                  std::vector<std::string_view>& reasons) {
  const std::string_view why = why_unreachable(cell);
  if (why.empty()) return std::to_string(coverage.times(cell));
  auto reason = std::find(reasons.begin(), reasons.end(), why);
  if (reason == reasons.end()) reason = reasons.insert(reason, why);
  return fmt::format("({})", reason - reasons.begin() + 1);
}

}  // namespace

CoverageCount count_cells(const Coverage& coverage) {
  CoverageCount result;
  for (const CoverageCell& cell : properties::all_cells()) {
    if (!why_unreachable(cell).empty()) continue;
    ++result.reachable;
    if (coverage.times(cell) > 0) ++result.reached;
  }
  return result;
}

std::string coverage_table(const Coverage& coverage) {
  std::string text = fmt::format("{:<10} {:<14} {:<10}", "operation", "format", "operand");
  for (std::size_t i = 0; i < properties::kRoundingSituations; ++i)
    text += fmt::format(" {:>14}", name_of(static_cast<RoundingSituation>(i)));
  std::vector<std::string_view> reasons;
  for (const CoverageCell& cell : properties::all_cells()) {
    if (begins_a_row(cell))
      text += fmt::format("\n{:<10} {:<14} {:<10}", name_of(cell.operation), cell.format->name,
                          name_of(cell.operand));
    text += fmt::format(" {:>14}", shown(cell, coverage, reasons));
  }
  text += "\n\n";
  for (std::size_t i = 0; i < reasons.size(); ++i)
    text += fmt::format("({}) {}\n", i + 1, reasons[i]);
  const CoverageCount count = count_cells(coverage);
  return text +
         fmt::format("\n{} of {} cells that can be reached are\n", count.reached, count.reachable);
}

Json coverage_json(const Coverage& coverage) {
  const CoverageCount count = count_cells(coverage);
  Json result{
      {"reachable", count.reachable}, {"reached", count.reached}, {"cells", Json::object()}};
  for (const CoverageCell& cell : properties::all_cells())
    if (const std::int64_t times = coverage.times(cell); times > 0)
      result["cells"][std::string(name_of(cell.operation))][std::string(cell.format->name)]
            [std::string(name_of(cell.operand))][std::string(situation_name(cell))] = times;
  return result;
}

}  // namespace ampcheck::conformance
