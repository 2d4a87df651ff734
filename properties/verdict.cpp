#include "properties/verdict.hpp"

namespace ampcheck::properties {

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "pass";
    case Verdict::fail:
      return "fail";
    case Verdict::not_applicable:
      return "not-applicable";
    case Verdict::not_judged:
      return "not-judged";
    case Verdict::unsupported:
      return "unsupported";
    case Verdict::advice:
      return "advice";
    case Verdict::flaky:
      return "flaky";
    case Verdict::crashed:
      return "crashed";
    case Verdict::timed_out:
      return "timed-out";
    case Verdict::errored:
      return "errored";
    case Verdict::not_run:
      return "not-run";
  }
  return "";
}

Coverage coverage_of(const RunReport& report) {
  Coverage all;
  for (const ClauseReport& clause : report.clauses) all.add(clause.coverage);
  return all;
}

}  // namespace ampcheck::properties
