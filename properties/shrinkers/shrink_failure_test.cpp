#include "properties/shrinkers/shrink_failure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "properties/applicability.hpp"
#include "properties/engine.hpp"
#include "properties/sampled_test.hpp"
#include "subject/in_process.hpp"

namespace ampcheck::properties {
namespace {

struct Size {
  std::size_t tensors = 0;
  std::size_t elements = 0;  // of the largest tensor
  std::size_t steps = 0;     // after scaler and optimizers are made
};

Size size_of(const subject::Case& one) {
  Size size;
  for (const subject::Step& step : one.steps) {
    if (std::holds_alternative<subject::MakeScaler>(step.action)) continue;
    const auto* made = std::get_if<subject::MakeOptimizer>(&step.action);
    if (made == nullptr) {
      ++size.steps;
      continue;
    }
    for (const subject::Parameter& p : made->parameters) {
      size.tensors += p.same_as.empty() ? 1 : 0;
      size.elements = std::max(size.elements, p.initial.bits.size());
    }
  }
  return size;
}

std::size_t median(const std::vector<Size>& sizes, std::size_t Size::*what) {
  std::vector<std::size_t> values;
  for (const Size& size : sizes) values.push_back(size.*what);
  std::ranges::nth_element(values, values.begin() + std::ssize(values) / 2);
  return values[values.size() / 2];
}

// A kept case is played first for ever after, so that a case which blames right implementations
// would never let go of a subject again. It is also what a reader gets to see: one or two numbers
// in a window of a few steps, mostly.
TEST(ShrinkFailure, WhatIsKeptIsSmallAndFailsHereAndPassesThere) {
  std::vector<Size> sizes;
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
      sizes.push_back(size_of(kept));
      EXPECT_EQ(run_case(subject, *report.clause, kept).verdict, Verdict::fail) << mutant->name;
      if (!inapplicable(kept, textbook.hello()).empty()) continue;  // a policy that it has not
      EXPECT_EQ(run_case(textbook, *report.clause, kept).verdict, Verdict::pass)
          << mutant->name << " " << report.clause->id;
    }
  }
  ASSERT_FALSE(sizes.empty());
  EXPECT_LE(median(sizes, &Size::tensors), 2u);
  EXPECT_LE(median(sizes, &Size::elements), 2u);
  EXPECT_LE(median(sizes, &Size::steps), 3u);
}

}  // namespace
}  // namespace ampcheck::properties
