#include <fmt/format.h>

#include <algorithm>

#include "conformance/advice.hpp"
#include "conformance/commands.hpp"
#include "conformance/exit_code.hpp"
#include "conformance/failure_store.hpp"
#include "conformance/output.hpp"
#include "conformance/progress.hpp"
#include "conformance/record.hpp"
#include "conformance/report.hpp"
#include "conformance/run_policy.hpp"
#include "conformance/subjects.hpp"
#include "properties/engine.hpp"

namespace ampcheck::conformance {
namespace {

int exit_code_of(const RunFrame& frame, const properties::RunReport& report) {
  const Counts counts = count(report);
  const bool against =
      std::any_of(report.clauses.begin(), report.clauses.end(),
                  [&](const auto& clause) { return counts_against(clause, frame); });
  if (against) return kDoesNotConform;
  if (counts.applicable == 0 || counts.judged == 0) return kUsage;
  return kConforms;
}

std::int64_t failing(const properties::RunReport& report) {
  return std::ranges::count(report.clauses, properties::Verdict::fail,
                            &properties::ClauseReport::verdict);
}

// What was judged in one run was in the other.
bool judges_as_much(const properties::RunReport& report, const properties::RunReport& other) {
  const auto is_judged = [](const properties::ClauseReport& clause) {
    return clause.verdict == properties::Verdict::pass ||
           clause.verdict == properties::Verdict::fail;
  };
  return std::ranges::equal(report.clauses, other.clauses, [&](const auto& one, const auto& two) {
    return is_judged(one) || !is_judged(two);
  });
}

}  // namespace

int run_command(const RunOptions& options) {
  properties::EngineOptions engine;
  engine.seed = options.seed;
  engine.cases_per_clause = cases_of_level(options.level);
  engine.budget_seconds = options.budget_seconds;
  engine.shrink_seconds = options.shrink_seconds;
  engine.diagnose = true;
  engine.coverage = true;
  const std::vector<const properties::Clause*> clauses = select_clauses(options.clauses);
  const FailureStore store(options.failures, options.subject);
  std::vector<std::string> unusable;
  engine.first = store.load(unusable);
  for (const std::string& error : unusable) print(stderr, "ampcheck: not played: {}\n", error);

  const auto [subject, wider] =
      with_whole_policy(open_subject(options.subject, {options.python, options.messages}),
                        options.subject, options.policy);
  Progress progress;
  engine.progress = [&](std::int64_t done, std::int64_t planned) { progress.show(done, planned); };
  properties::RunReport report = properties::run(*subject, clauses, engine);
  if (wider && failing(report) > 0) {
    const subject::Policy found = subject->hello().policy;
    subject->take_at(*wider);
    properties::RunReport again = properties::run(*subject, clauses, engine);
    if (failing(again) < failing(report) && judges_as_much(again, report))
      report = std::move(again);
    else
      subject->take_at(found);
  }
  progress.finish();
  for (properties::ClauseReport& clause : report.clauses) soften(clause);

  const RunFrame frame{options.subject, subject->hello(), options.seed,
                       options.level,   options.clauses,  options.strict};
  const int code = exit_code_of(frame, report);
  // The verdict comes first: a folder that cannot be written must not hide it.
  std::string failures;
  std::vector<std::string> unsaved;
  for (const properties::ClauseReport& clause : report.clauses) {
    try {
      if (clause.failure) failures += failure_report(frame, clause, store.save(clause));
    } catch (const Exit& error) {
      failures += failure_report(frame, clause, "");
      unsaved.emplace_back(error.what());
    }
    if (clause.verdict == properties::Verdict::pass) store.clear(clause.clause->id);
  }
  if (options.json)
    print("{}", run_json(frame, report, code));
  else
    print("{}{}", table(frame, report, use_colour()), failures);
  for (const std::string& error : unsaved) print(stderr, "ampcheck: {}\n", error);
  if (!options.report.empty()) write_record(options.report, frame, report, code);
  if (code == kUsage)
    throw Exit(kUsage, count(report).applicable == 0
                           ? "no selected clause is applicable to this subject: " +
                                 report.clauses.front().reason
                           : "nothing was judged: " + report.clauses.front().reason);
  return code;
}

}  // namespace ampcheck::conformance
