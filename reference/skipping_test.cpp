#include "reference/skipping.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "reference/emulation_test.hpp"

namespace ampcheck::reference {
namespace {

using testing::ElementsAre;

const Number kTwo = number(binary64, 2), kHalf = number(binary64, 0.5);

// The scales in use at each step of a pattern ('1': inf found) and after it, as powers of two.
std::vector<int> trace(const std::string& pattern, std::int64_t interval, int initial,
                       const Policy& policy) {
  const ScaleRule rule{kTwo, kHalf, interval};
  ScaleState state{Rational::power_of_two(initial)};
  std::vector<int> scales;
  for (const char step : pattern) {
    scales.push_back(state.scale.floor_log2());
    const auto next =
        updated(state, step == '1' ? Verdict::overflow : Verdict::clean, rule, policy);
    EXPECT_EQ(1u, next.size());
    state = next.front();
    EXPECT_TRUE(state.scale.is_power_of_two());
  }
  scales.push_back(state.scale.floor_log2());
  return scales;
}

Policy growing(GrowthRule rule) {
  Policy policy;
  policy.growth_rule = rule;
  return policy;
}

// facts/frameworks.md §1.4 of the project, interval 3 from 1024: rows that a policy can express.
constexpr char kPattern[] = "01000000010110000";

TEST(ScaleRule, TracesTorchAndItsKin) {
  EXPECT_THAT(trace(kPattern, 3, 10, growing(GrowthRule::n)),
              ElementsAre(10, 10, 9, 9, 9, 10, 10, 10, 11, 11, 10, 10, 9, 8, 8, 8, 9, 9));
}

TEST(ScaleRule, TracesFlax) {
  EXPECT_THAT(trace(kPattern, 3, 10, growing(GrowthRule::n_plus_one)),
              ElementsAre(10, 10, 9, 9, 9, 9, 10, 10, 10, 10, 9, 9, 8, 7, 7, 7, 7, 8));
}

TEST(ScaleRule, TracesDeepSpeed) {
  EXPECT_THAT(trace(kPattern, 3, 10, growing(GrowthRule::n_plus_one_once)),
              ElementsAre(10, 10, 9, 9, 9, 9, 10, 10, 10, 11, 10, 10, 9, 8, 8, 8, 8, 9));
}

// Clean steps until growth with N = 5: exact rules 5, 10, 15; DeepSpeed 6, 11, 16; Flax 6, 12, 18.
TEST(ScaleRule, CountsToEveryGrowth) {
  const std::string clean(18, '0');
  const auto growths = [&](GrowthRule rule) {
    const std::vector<int> scales = trace(clean, 5, 0, growing(rule));
    std::vector<std::size_t> steps;
    for (std::size_t i = 1; i < scales.size(); ++i)
      if (scales[i] != scales[i - 1]) steps.push_back(i);
    return steps;
  };
  EXPECT_THAT(growths(GrowthRule::n), ElementsAre(5, 10, 15));
  EXPECT_THAT(growths(GrowthRule::n_plus_one_once), ElementsAre(6, 11, 16));
  EXPECT_THAT(growths(GrowthRule::n_plus_one), ElementsAre(6, 12, 18));
}

TEST(ScaleRule, StopsAtTheFloor) {
  Policy policy;
  policy.floor = Rational(1);
  EXPECT_THAT(trace("1111", 3, 2, policy), ElementsAre(2, 1, 0, 0, 0));
  // Never raises a scale that was below it.
  EXPECT_THAT(trace("11", 3, -3, policy), ElementsAre(-3, -3, -3));
}

TEST(ScaleRule, StopsAtTheCeiling) {
  Policy policy;
  policy.ceiling = Rational::power_of_two(12);
  EXPECT_THAT(trace("0000", 1, 10, policy), ElementsAre(10, 11, 12, 12, 12));
  EXPECT_THAT(trace("00", 1, 13, policy), ElementsAre(13, 13, 13));
}

TEST(ScaleRule, RefusesOrClampsAtTheTop) {
  const ScaleRule rule{kTwo, kHalf, 1};
  const ScaleState top{Rational::power_of_two(127)};
  Policy policy;
  EXPECT_EQ(top.scale, updated(top, Verdict::clean, rule, policy).front().scale);
  EXPECT_EQ(0, updated(top, Verdict::clean, rule, policy).front().clean_steps);
  policy.growth_limit = GrowthLimit::clamp;
  EXPECT_EQ(value_of(binary32.max_finite(), binary32),
            updated(top, Verdict::clean, rule, policy).front().scale);
  policy.scale_format = &binary64;
  EXPECT_EQ(Rational::power_of_two(128), updated(top, Verdict::clean, rule, policy).front().scale);
}

// From 2^16 in binary32 166 overflows lead to zero, in binary64 1091.
TEST(ScaleRule, WalksDownTheLadderToZero) {
  for (const auto& [format, steps] : {std::pair{&binary32, 166}, {&binary64, 1091}}) {
    Policy policy;
    policy.scale_format = format;
    ScaleState state{65536};
    for (int i = 1; i <= steps; ++i) {
      state = updated(state, Verdict::overflow, {kTwo, kHalf, 1}, policy).front();
      ASSERT_EQ(i == steps, state.scale.is_zero()) << i;
    }
  }
}

TEST(ScaleRule, AnOverflowRestartsTheCount) {
  EXPECT_THAT(trace("00100", 3, 4, growing(GrowthRule::n)), ElementsAre(4, 4, 4, 3, 3, 3));
}

TEST(ScaleRule, NeedsAVerdict) {
  EXPECT_THROW(updated({1024}, Verdict::unknown, {kTwo, kHalf, 1}, {}), std::logic_error);
}

// judging.md A2: torch rounds S·f to binary64 and then to binary32.
TEST(MovedScales, HoldTheProductRoundedTwiceAndOnce) {
  const Rational scale = value_of(0x47c164d9, binary32);
  const std::vector<Rational> moved =
      moved_scales(scale, number(binary64, 0x1.6687fff3b6d59p-1), {});
  EXPECT_THAT(moved, ElementsAre(value_of(0x47876ce2, binary32), value_of(0x47876ce3, binary32)));
}

TEST(MovedScales, UseTheFactorInItsFormat) {
  Policy policy;
  policy.factor_format = &binary32;
  // 3·0.3: 0.90000004 with the factor in binary32, 0.9 exactly.
  const std::vector<Rational> moved = moved_scales(3, number(binary64, 0.3), policy);
  EXPECT_THAT(moved, ElementsAre(rational(0.3f * 3), rational(static_cast<float>(0.3 * 3))));
  EXPECT_NE(moved[0], moved[1]);
  EXPECT_THAT(moved_scales(3, kHalf, policy), ElementsAre(Rational(3) / 2));
}

}  // namespace
}  // namespace ampcheck::reference
