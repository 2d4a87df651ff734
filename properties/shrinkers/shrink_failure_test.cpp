#include "properties/shrinkers/shrink_failure.hpp"

#include <gtest/gtest.h>

#include "properties/applicability.hpp"
#include "properties/engine.hpp"
#include "properties/sampled_test.hpp"
#include "subject/in_process.hpp"

namespace ampcheck::properties {
namespace {

// A kept case is played first for ever after, so that a case which blames right implementations
// would never let go of a subject again.
TEST(ShrinkFailure, WhatIsKeptFailsHereAndPassesThere) {
  subject::InProcess textbook = subject::textbook_in_process();
  for (const BuiltIn* mutant : sampled(BuiltIn::Kind::mutant)) {
    subject::InProcess subject(mutant->hello(), mutant->make);
    EngineOptions options;
    options.cases_per_clause = 20;
    options.shrink_seconds = 0.2;
    std::vector<const Clause*> own;
    for (const Clause& clause : clauses())
      if (clause.id.starts_with(std::string(mutant->rule) + "/")) own.push_back(&clause);
    for (const ClauseReport& report : run(subject, own, options).clauses) {
      if (report.verdict != Verdict::fail) continue;
      const subject::Case& kept = report.failure->shrunk;
      EXPECT_EQ(run_case(subject, *report.clause, kept).verdict, Verdict::fail) << mutant->name;
      if (!inapplicable(kept, textbook.hello()).empty()) continue;  // a policy that it has not
      EXPECT_EQ(run_case(textbook, *report.clause, kept).verdict, Verdict::pass)
          << mutant->name << " " << report.clause->id;
    }
  }
}

}  // namespace
}  // namespace ampcheck::properties
