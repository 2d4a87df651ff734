// What comes of playing one case again and again.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>

#include "reference/policy.hpp"
#include "subject/subject.hpp"

namespace ampcheck::properties {

// How often a case is played to see how often its answer changes. A subject that errs in one of
// ten plays is then seen to, with seven chances in eight.
inline constexpr std::int64_t kRepetitions = 20;

// The observations of a case that may differ from play to play: copies of master weights, where
// the policy rounds them stochastically.
std::set<std::string> random_observations(const subject::Case&, const reference::Policy&);

// The same kind of reply with the same observations, but for these. Texts of exceptions may differ:
// some hold an address.
bool is_same(const subject::Reply&, const subject::Reply&, const std::set<std::string>& random);

struct Repetition {
  std::int64_t times = 0;
  std::int64_t different = 0;  // replies that are not the most frequent one
  std::int64_t failing = 0;    // replies that break the clause

  // "alone, 20 times: 7 answers unlike the most frequent one, 3 that break the clause".
  std::string to_string() const;
};

Repetition repeat(subject::Subject&, const subject::Case&, const std::set<std::string>& random,
                  const std::function<bool(const subject::Reply&)>& breaks_the_clause);

}  // namespace ampcheck::properties
