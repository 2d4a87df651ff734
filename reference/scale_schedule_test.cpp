#include "reference/scale_schedule.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "reference/emulation_test.hpp"

namespace ampcheck::reference {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

const Number kTwo = number(binary64, 2), kHalf = number(binary64, 0.5);

const ScaleRule kDoubles{kTwo, kHalf, 3};

// The only state that may follow.
ScaleState after(const ScaleState& state, char step, const Policy& policy,
                 const ScaleRule& rule = kDoubles) {
  const auto next = updated(state, step == '1' ? Verdict::overflow : Verdict::clean, rule, policy);
  EXPECT_EQ(1u, next.size());
  return next.front();
}

// The scales in use at each step of a pattern ('1': inf found) and after it, as powers of two.
std::vector<int> trace(const std::string& pattern, std::int64_t interval, int initial,
                       const Policy& policy) {
  const ScaleRule rule{kTwo, kHalf, interval};
  ScaleState state{Rational::power_of_two(initial)};
  std::vector<int> scales;
  for (const char step : pattern) {
    scales.push_back(state.scale.floor_log2());
    state = after(state, step, policy, rule);
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

Policy absorbing(int hysteresis, HysteresisRefill refill, GrowthRule rule = GrowthRule::n) {
  Policy policy = growing(rule);
  policy.hysteresis = hysteresis;
  policy.hysteresis_refill = refill;
  return policy;
}

Policy lagging() {
  Policy policy;
  policy.scale_lags = true;
  return policy;
}

Policy with_floor(const Rational& floor, AtFloor at_floor = AtFloor::hold) {
  Policy policy;
  policy.floor = floor;
  policy.at_floor = at_floor;
  return policy;
}

constexpr auto kN = GrowthRule::n, kNPlusOne = GrowthRule::n_plus_one,
               kNPlusOneOnce = GrowthRule::n_plus_one_once;
constexpr auto kAtGrowth = HysteresisRefill::growth, kAtCleanStep = HysteresisRefill::clean_step,
               kAtBackOff = HysteresisRefill::clean_step_and_back_off;

// Overflows in the 2nd, 10th, 12th and 13th of seventeen steps, interval 3, from 1024. Eight
// families of released scalers, no two alike.
std::vector<int> trace_of_17(const Policy& policy) {
  return trace("01000000010110000", 3, 10, policy);
}

TEST(ScaleSchedule, TracesTorchAndItsKin) {
  EXPECT_THAT(trace_of_17({}),
              ElementsAre(10, 10, 9, 9, 9, 10, 10, 10, 11, 11, 10, 10, 9, 8, 8, 8, 9, 9));
}

TEST(ScaleSchedule, TracesFlax) {
  EXPECT_THAT(trace_of_17(growing(kNPlusOne)),
              ElementsAre(10, 10, 9, 9, 9, 9, 10, 10, 10, 10, 9, 9, 8, 7, 7, 7, 7, 8));
}

TEST(ScaleSchedule, TracesMxnet) {
  EXPECT_THAT(trace_of_17(lagging()),
              ElementsAre(10, 10, 10, 9, 9, 9, 10, 10, 10, 11, 11, 10, 10, 9, 8, 8, 8, 9));
}

TEST(ScaleSchedule, TracesDeepSpeedWithoutHysteresis) {
  EXPECT_THAT(trace_of_17(growing(kNPlusOneOnce)),
              ElementsAre(10, 10, 9, 9, 9, 9, 10, 10, 10, 11, 10, 10, 9, 8, 8, 8, 8, 9));
}

TEST(ScaleSchedule, TracesDeepSpeed) {
  EXPECT_THAT(trace_of_17(absorbing(2, kAtGrowth, kNPlusOneOnce)),
              ElementsAre(10, 10, 10, 10, 10, 10, 11, 11, 11, 12, 12, 12, 11, 10, 10, 10, 10, 11));
}

TEST(ScaleSchedule, TracesDeepSpeedWithConsecutiveHysteresis) {
  EXPECT_THAT(trace_of_17(absorbing(2, kAtCleanStep, kNPlusOneOnce)),
              ElementsAre(10, 10, 10, 10, 10, 10, 11, 11, 11, 12, 12, 12, 12, 11, 11, 11, 11, 12));
}

TEST(ScaleSchedule, TracesMegatronAndColossalAi) {
  EXPECT_THAT(trace_of_17(absorbing(2, kAtGrowth)),
              ElementsAre(10, 10, 10, 10, 10, 11, 11, 11, 12, 12, 12, 12, 11, 10, 10, 10, 11, 11));
}

TEST(ScaleSchedule, TracesTheKernelOfApexAndPaddle) {
  for (const HysteresisRefill refill : {kAtCleanStep, kAtBackOff})
    EXPECT_THAT(trace_of_17(absorbing(2, refill)), ElementsAre(10, 10, 10, 10, 10, 11, 11, 11, 12,
                                                               12, 12, 12, 12, 11, 11, 11, 12, 12));
}

// Where the trace above is the same: Apex backs off on every overflow of a run but the first,
// Paddle on every second one.
TEST(ScaleSchedule, TellsApexFromPaddleInARunOfOverflows) {
  EXPECT_THAT(trace("111101", 3, 10, absorbing(2, kAtCleanStep)),
              ElementsAre(10, 10, 9, 8, 7, 7, 7));
  EXPECT_THAT(trace("111101", 3, 10, absorbing(2, kAtBackOff)), ElementsAre(10, 10, 9, 9, 8, 8, 8));
}

TEST(ScaleSchedule, AbsorbsAsManyOverflowsAsDeclared) {
  EXPECT_THAT(trace("11111", 3, 10, absorbing(4, kAtGrowth)), ElementsAre(10, 10, 10, 10, 9, 8));
  // Across clean steps, until growth makes hysteresis full again.
  EXPECT_THAT(trace("1010101", 3, 10, absorbing(3, kAtGrowth)),
              ElementsAre(10, 10, 10, 10, 10, 9, 9, 8));
  EXPECT_THAT(trace("111000111", 3, 10, absorbing(3, kAtGrowth)),
              ElementsAre(10, 10, 10, 9, 9, 9, 10, 10, 10, 9));
}

// Clean steps until growth with N = 5.
TEST(ScaleSchedule, CountsToEveryGrowth) {
  const std::string clean(18, '0');
  const auto growths = [&](const Policy& policy) {
    const std::vector<int> scales = trace(clean, 5, 0, policy);
    std::vector<std::size_t> steps;
    for (std::size_t i = 1; i < scales.size(); ++i)
      if (scales[i] != scales[i - 1]) steps.push_back(i);
    return steps;
  };
  EXPECT_THAT(growths({}), ElementsAre(5, 10, 15));
  EXPECT_THAT(growths(growing(kNPlusOneOnce)), ElementsAre(6, 11, 16));
  EXPECT_THAT(growths(lagging()), ElementsAre(6, 11, 16));
  EXPECT_THAT(growths(growing(kNPlusOne)), ElementsAre(6, 12, 18));
}

// A scale above 600 overflows. One halving is needed; with a lag two windows are skipped and two
// halvings taken.
TEST(ScaleSchedule, OvershootsWithALag) {
  ScaleState state{1024};
  std::vector<int> scales;
  for (int step = 0; step < 4; ++step) {
    scales.push_back(state.scale.floor_log2());
    state = after(state, state.scale > Rational(600) ? '1' : '0', lagging(), {kTwo, kHalf, 2000});
  }
  EXPECT_THAT(scales, ElementsAre(10, 10, 9, 8));
}

TEST(ScaleSchedule, StopsAtTheFloor) {
  EXPECT_THAT(trace("1111", 3, 2, with_floor(1)), ElementsAre(2, 1, 0, 0, 0));
}

std::vector<Rational> scales_of(const std::vector<ScaleState>& states) {
  std::vector<Rational> scales;
  for (const ScaleState& state : states) scales.push_back(state.scale);
  return scales;
}

// max(S·f, floor) lifts it; other code leaves it where it is.
TEST(ScaleSchedule, MayLiftAScaleThatStartsBelowTheFloor) {
  const ScaleState low{Rational::power_of_two(-3)};
  EXPECT_THAT(scales_of(updated(low, Verdict::overflow, kDoubles, with_floor(1))),
              UnorderedElementsAre(low.scale, Rational(1)));
  EXPECT_THAT(scales_of(updated(low, Verdict::clean, kDoubles, with_floor(1))),
              ElementsAre(low.scale));
}

TEST(ScaleSchedule, StopsAtTheCeiling) {
  Policy policy;
  policy.ceiling = Rational::power_of_two(12);
  EXPECT_THAT(trace("0000", 1, 10, policy), ElementsAre(10, 11, 12, 12, 12));
  // min(S·f, ceiling) lowers one that starts above; other code leaves it.
  const ScaleState high{Rational::power_of_two(13)};
  EXPECT_THAT(scales_of(updated(high, Verdict::clean, {kTwo, kHalf, 1}, policy)),
              UnorderedElementsAre(high.scale, *policy.ceiling));
}

// The overflow that raises, and the scale that it leaves.
std::pair<int, Rational> raises_at(int initial, const Policy& policy) {
  ScaleState state{Rational::power_of_two(initial)};
  for (int overflow = 1; overflow < 100; ++overflow) {
    state = after(state, '1', policy);
    if (state.raised) return {overflow, state.scale};
  }
  return {0, state.scale};
}

// DeepSpeed: from 2^16 with hysteresis 2 one overflow is absorbed, sixteen lead to the floor of 1,
// and the 18th raises.
TEST(ScaleSchedule, RaisesAtTheFloor) {
  Policy policy = with_floor(1, AtFloor::raise);
  EXPECT_EQ(std::pair(17, Rational(1)), raises_at(16, policy));
  policy.hysteresis = 2;
  EXPECT_EQ(std::pair(18, Rational(1)), raises_at(16, policy));
  // From below it may also be lifted first, or stay.
  const auto low =
      updated({Rational(1) / 2}, Verdict::overflow, kDoubles, with_floor(1, AtFloor::raise));
  EXPECT_THAT(scales_of(low), ElementsAre(Rational(1) / 2, Rational(1), Rational(1) / 2));
  EXPECT_TRUE(low.back().raised && !low.front().raised);
}

// fairseq: from 128 with a floor of 1e-4 the 21st overflow would lead to 2^-14; it raises and puts
// 2^-13 back.
TEST(ScaleSchedule, RaisesOnReachingTheFloor) {
  const Policy policy = with_floor(value_of(number(binary64, 1e-4)), AtFloor::raise_on_reaching);
  EXPECT_EQ(std::pair(21, Rational::power_of_two(-13)), raises_at(7, policy));
  // Also where the product is the floor itself.
  EXPECT_EQ(std::pair(4, Rational(2)), raises_at(4, with_floor(1, AtFloor::raise_on_reaching)));
}

TEST(ScaleSchedule, RefusesOrClampsAtTheTop) {
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

// Overflows to a scale of zero: torch from 2^16 and Keras from 2^15 in binary32, Apex from 2^16 in
// binary64.
TEST(ScaleSchedule, WalksDownTheLadderToZero) {
  struct Ladder {
    const NumberFormat* format;
    int initial, steps;
  };
  for (const Ladder& ladder :
       {Ladder{&binary32, 16, 166}, Ladder{&binary32, 15, 165}, Ladder{&binary64, 16, 1091}}) {
    Policy policy;
    policy.scale_format = ladder.format;
    ScaleState state{Rational::power_of_two(ladder.initial)};
    for (int i = 1; i <= ladder.steps; ++i) {
      state = after(state, '1', policy);
      ASSERT_EQ(i == ladder.steps, state.scale.is_zero()) << i;
    }
  }
}

// Keras, which has no limit to growth, doubles 2^15 to inf in 113 steps.
TEST(ScaleSchedule, WalksUpTheLadderToInf) {
  const Rational beyond = Rational::power_of_two(128);
  Rational scale = Rational::power_of_two(15);
  for (int i = 1; i <= 113; ++i) {
    scale = moved_scales(scale, kTwo, {}).front();
    ASSERT_EQ(i == 113, scale == beyond) << i;
  }
}

TEST(ScaleSchedule, AnOverflowRestartsTheCount) {
  EXPECT_THAT(trace("00100", 3, 4, growing(kN)), ElementsAre(4, 4, 4, 3, 3, 3));
  EXPECT_THAT(trace("001001", 3, 4, absorbing(2, kAtCleanStep)), ElementsAre(4, 4, 4, 4, 4, 4, 4));
}

TEST(ScaleSchedule, NeedsAVerdict) {
  EXPECT_THROW(updated({1024}, Verdict::unknown, {kTwo, kHalf, 1}, {}), std::logic_error);
}

// golden/innocent/A2: torch rounds S·f to binary64 and then to binary32.
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

// Only where raising is declared is a scale at its floor a reason to.
TEST(ScaleSchedule, HoldsAtItsFloorWithoutRaising) {
  const ScaleState at_floor{Rational(8)};
  EXPECT_FALSE(after(at_floor, '1', with_floor(8)).raised);
  EXPECT_EQ(Rational(8), after(at_floor, '1', with_floor(8)).scale);
  EXPECT_TRUE(after(at_floor, '1', with_floor(8, AtFloor::raise)).raised);
}

TEST(ScaleSchedule, GrowsUpToTheLargestNumber) {
  const Rational largest = value_of(binary32.max_finite(), binary32);
  const ScaleRule every{kTwo, kHalf, 1};
  EXPECT_EQ(largest, after(ScaleState{largest / 2}, '0', {}, every).scale);
  EXPECT_EQ(largest, after(ScaleState{largest}, '0', {}, every).scale);
}

// A factor below one takes a scale to its ceiling from above; nothing is left to limit.
TEST(ScaleSchedule, MayMoveToItsCeilingFromAbove) {
  Policy policy;
  policy.ceiling = Rational(4);
  EXPECT_EQ(Rational(4), after(ScaleState{Rational(8)}, '0', policy, {kHalf, kHalf, 1}).scale);
}

}  // namespace
}  // namespace ampcheck::reference
