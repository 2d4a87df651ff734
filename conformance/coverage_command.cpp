#include <nlohmann/json.hpp>

#include "conformance/commands.hpp"
#include "conformance/coverage_table.hpp"
#include "conformance/exit_code.hpp"
#include "conformance/output.hpp"
#include "conformance/subjects.hpp"
#include "properties/engine.hpp"

namespace ampcheck::conformance {

int coverage_command(const ListOptions& options) {
  properties::EngineOptions engine;
  engine.seed = options.seed;
  engine.cases_per_clause = cases_of_level(options.level);
  engine.shrink_seconds = 0;
  engine.duplicates = false;
  engine.coverage = true;
  const std::unique_ptr<subject::Subject> textbook = open_subject("textbook", {});
  const properties::RunReport report =
      properties::run(*textbook, select_clauses(options.clauses), engine);
  const properties::Coverage coverage = properties::coverage_of(report);
  if (options.json)
    print("{}\n", coverage_json(coverage).dump());
  else
    print("{}", coverage_table(coverage));
  return kConforms;
}

}  // namespace ampcheck::conformance
