// How well mistakes are named: every mutant, by the clauses of its own rule.
#include "properties/diagnosis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "properties/engine.hpp"
#include "properties/sampled_test.hpp"
#include "subject/in_process.hpp"

namespace ampcheck::properties {
namespace {

RunReport diagnosed(const BuiltIn& mutant) {
  subject::InProcess subject(mutant.hello(), mutant.make);
  EngineOptions options;
  options.cases_per_clause = 40;
  options.shrink_seconds = 0;
  options.diagnose = true;
  std::vector<const Clause*> own;
  for (const Clause& clause : clauses())
    if (clause.id.starts_with(std::string(mutant.rule) + "/")) own.push_back(&clause);
  return run(subject, own, options);
}

TEST(Diagnosis, NamesTheMistakesThatItKnows) {
  int mutants = 0, named = 0;
  for (const BuiltIn* one : sampled(BuiltIn::Kind::mutant)) {
    ++mutants;
    bool right = false, other = false;
    for (const ClauseReport& clause : diagnosed(*one).clauses)
      if (!clause.explained_by.empty())
        (std::ranges::count(clause.explained_by, one) == 1 ? right : other) = true;
    EXPECT_FALSE(other) << one->full_name() << " was taken for another";
    named += right ? 1 : 0;
  }
  EXPECT_GE(100 * named, 95 * mutants) << named << " of " << mutants;
}

TEST(Diagnosis, SaysNothingOfWhatItDoesNotKnow) {
  const BuiltIn& mutant = *find_built_in("mutant:clip-before-unscale");
  const RunReport report = diagnosed(mutant);
  std::vector<const Symptoms*> all;
  for (const ClauseReport& clause : report.clauses)
    if (clause.verdict == Verdict::fail) all.push_back(&clause.symptoms);
  ASSERT_FALSE(all.empty());
  for (const auto& names : diagnose(
           all, {find_built_in("mutant:clip-per-tensor"), find_built_in("mutant:zero-inside")}))
    EXPECT_TRUE(names.empty());
}

}  // namespace
}  // namespace ampcheck::properties
