#include <fmt/format.h>

#include "conformance/advice.hpp"
#include "conformance/commands.hpp"
#include "conformance/describe.hpp"
#include "conformance/exit_code.hpp"
#include "conformance/failure_store.hpp"
#include "conformance/output.hpp"
#include "conformance/record.hpp"
#include "conformance/report.hpp"
#include "conformance/run_policy.hpp"
#include "conformance/subjects.hpp"
#include "properties/engine.hpp"

namespace ampcheck::conformance {

int replay_command(const ReplayOptions& options) {
  const subject::Case replayed = load_case(options.file);
  const properties::Clause* clause = properties::find_clause(replayed.clause);
  if (clause == nullptr)
    throw Exit(kUsage, options.file.string() + ": case.clause: no clause \"" + replayed.clause +
                           "\" with cases");
  const auto [subject, wider] =
      with_whole_policy(open_subject(options.subject, {options.python, {}}), options.subject, {});
  properties::RunReport report;
  report.clauses.push_back(properties::run_case(*subject, *clause, replayed));
  if (wider && report.clauses.front().verdict == properties::Verdict::fail) {
    subject->take_at(*wider);
    report.clauses.front() = properties::run_case(*subject, *clause, replayed);
  }
  soften(report.clauses.front());
  const properties::ClauseReport& verdict = report.clauses.front();
  const RunFrame frame{options.subject, subject->hello(), replayed.seed,
                       "replay",        replayed.clause,  false};
  using properties::Verdict;
  const int code = verdict.verdict == Verdict::pass || verdict.verdict == Verdict::advice
                       ? kConforms
                   : verdict.verdict == Verdict::not_applicable ? kUsage
                                                                : kDoesNotConform;
  if (options.json) {
    print("{}", run_json(frame, report, code));
  } else if (verdict.failure) {
    print("{}", failure_report(frame, verdict, options.file));
  } else {
    print("{}: {}{}\n", clause->id, properties::name_of(verdict.verdict),
          verdict.reason.empty() ? "" : ", " + verdict.reason);
  }
  if (code == kUsage)
    throw Exit(kUsage, "the case is not applicable to this subject: " + verdict.reason);
  return code;
}

}  // namespace ampcheck::conformance
