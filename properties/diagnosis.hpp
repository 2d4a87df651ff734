// Names the mistake behind a fault: the built-in wrong implementations that give the very values
// that the subject gave.
#pragma once

#include <vector>

#include "properties/built_in.hpp"
#include "properties/clause.hpp"
#include "properties/judge.hpp"

namespace ampcheck::properties {

// A case that broke a clause.
struct FailingCase {
  subject::Case played;
  std::vector<subject::Answer> answers;
  Fault fault;
};

// What is known of a clause that a subject broke.
struct Symptoms {
  // Of each kind a diagnosis looks at so many at most.
  static constexpr std::size_t kMostFailing = 12, kMostPassing = 60;

  const Clause* clause = nullptr;
  std::vector<FailingCase> failing;
  std::vector<subject::Case> passing;
};

// For each of these clauses, the mutants that explain it: where the subject is at fault they answer
// what it answered, and where it is right they are, too. Where one mistake explains all clauses,
// only such are named. More than kMostNames explain nothing.
inline constexpr std::size_t kMostNames = 3;
std::vector<std::vector<const BuiltIn*>> diagnose(const std::vector<const Symptoms*>&,
                                                  const std::vector<const BuiltIn*>& mistakes);
// Among all mutants.
std::vector<std::vector<const BuiltIn*>> diagnose(const std::vector<const Symptoms*>&);

}  // namespace ampcheck::properties
