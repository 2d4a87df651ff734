#include "conformance/kill_matrix_json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "properties/draw.hpp"

namespace ampcheck::conformance {
namespace {

using Json = nlohmann::ordered_json;

std::string lines(const std::vector<Json>& rows) {
  std::string text;
  for (const Json& row : rows) text += (text.empty() ? "  " : ",\n  ") + row.dump();
  return text;
}

}  // namespace

std::string kill_matrix_json(const properties::KillMatrix& matrix,
                             const properties::KillMatrixOptions& options) {
  std::vector<Json> mutants, controls;
  for (const auto& row : matrix.mutants)
    mutants.push_back({{"name", row.subject->name},
                       {"rule", row.subject->rule},
                       {"at_smoke", row.at_smoke},
                       {"by_its_rule", row.by_its_rule},
                       {"killed_by", row.killed_by}});
  for (const auto& row : matrix.controls)
    controls.push_back({{"name", row.name}, {"cases", row.cases}, {"blamed_by", row.blamed_by}});
  Json clauses = Json::array();
  for (const properties::Clause& clause : properties::clauses()) clauses.push_back(clause.id);
  return fmt::format(
      "{{\"generators\":{},\"first_seed\":{},\"seeds\":{},\"cases\":{{\"smoke\":{},\"standard\":{}}"
      "},\n"
      "\"clauses\":{},\n\"kill_nothing_alone\":{},\n\"killed_by_one_clause\":{},\n"
      "\"mutants\":[\n{}\n],\n\"controls\":[\n{}\n]}}\n",
      properties::kGeneratorVersion, options.first_seed, options.seeds, options.smoke_cases,
      options.cases, clauses.dump(), Json(matrix.clauses_that_kill_nothing_alone()).dump(),
      Json(matrix.mutants_that_one_clause_kills()).dump(), lines(mutants), lines(controls));
}

}  // namespace ampcheck::conformance
