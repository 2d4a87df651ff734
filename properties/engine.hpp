// Plays the cases of clauses on a subject and judges them.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "properties/clause.hpp"
#include "properties/verdict.hpp"
#include "subject/subject.hpp"

namespace ampcheck::properties {

struct EngineOptions {
  std::uint64_t seed = 1;
  std::int64_t cases_per_clause = 200;
  double budget_seconds = 0;  // 0: no limit. Cases that it leaves out are not run
  double shrink_seconds = 5;  // per failure; 0: failures are reported as they came
  bool duplicates = true;     // 5 % of the cases are played twice
  bool stop_at_first_failure = false;
  bool diagnose = false;      // name the mistake behind a fault
  bool coverage = false;      // count what the cases round
  // Cases to play first, each for the clause that it names.
  std::vector<subject::Case> first;
  // Played and planned cases, now and then.
  std::function<void(std::int64_t, std::int64_t)> progress;
};

// A generator or the judge broke a promise of this program; the program exits with 5.
struct InternalError : std::logic_error {
  using std::logic_error::logic_error;
};

// One report a clause, in the order given. Throws InternalError where a quota of the generators is
// missed.
RunReport run(subject::Subject&, const std::vector<const Clause*>&, const EngineOptions&);

// At least this share of all deciding patterns has one right value: then no bound blurs the
// verdict.
inline constexpr double kOrderExactQuota = 0.5;

// Plays one case and judges it for its clause.
ClauseReport run_case(subject::Subject&, const Clause&, const subject::Case&);

}  // namespace ampcheck::properties
