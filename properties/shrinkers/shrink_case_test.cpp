#include "properties/shrinkers/shrink_case.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "properties/clause.hpp"
#include "properties/check_case.hpp"

namespace ampcheck::properties {
namespace {

// A case of the clause with short tensors: checking every candidate of a long one takes minutes.
subject::Case short_case(const Clause& clause, std::uint64_t index) {
  for (;; index += 1000) {
    subject::Case one = generate_case(clause, 5, index);
    std::size_t elements = 0;
    for (const subject::Step& step : one.steps)
      if (const auto* backward = std::get_if<subject::Backward>(&step.action))
        for (const auto& c : backward->coefficients) elements += c.values.bits.size();
    if (elements <= 40) return one;
  }
}

// Follows first candidates down to a case that has none: shrinking ends, whatever fails.
std::size_t descend(subject::Case& one) {
  std::size_t steps = 0;
  for (auto smaller = smaller_cases(one); !smaller.empty() && steps < 5000; ++steps) {
    std::swap(one, smaller.front());
    smaller = smaller_cases(one);
  }
  return steps;
}

TEST(ShrinkCase, CandidatesAreWellFormedAndDifferent) {
  for (const Clause& clause : clauses())
    for (std::uint64_t i = 0; i < 5; ++i) {
      const subject::Case one = short_case(clause, i);
      for (const subject::Case& candidate : smaller_cases(one)) {
        ASSERT_NE(candidate, one) << one.id;
        ASSERT_NO_THROW(check_case(candidate)) << one.id;
        ASSERT_EQ(candidate.id, one.id);
      }
    }
}

TEST(ShrinkCase, EndsAtASmallCase) {
  for (const Clause& clause : clauses())
    for (std::uint64_t i = 0; i < 5; ++i) {
      subject::Case one = short_case(clause, i);
      EXPECT_LT(descend(one), 5000u) << one.id;
      EXPECT_LE(one.steps.size(), 4u) << one.id;
    }
}

}  // namespace
}  // namespace ampcheck::properties
