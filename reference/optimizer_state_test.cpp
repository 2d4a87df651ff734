#include "reference/optimizer_state.hpp"

#include <gtest/gtest.h>

#include "reference/emulation_test.hpp"

namespace ampcheck::reference {
namespace {

std::uint64_t f32(double x) { return number(binary32, x).bits; }

// Two elements after a step of Adam, each moment somewhere in [1, 2].
OptimizerState adam() {
  OptimizerState state(2);
  for (Moments& m : state.moments) {
    m.first = m.second = Interval(1, 2);
    m.step = 1;
  }
  return state;
}

TEST(OptimizerState, HasASlotForEachMoment) {
  OptimizerState state = adam();
  state.moments[0].first = Interval(3);
  EXPECT_EQ(f32(3), state.slot("exp_avg", binary32)[0].single());
  EXPECT_EQ(f32(2), state.slot("exp_avg_sq", binary32)[0].highest());
  EXPECT_EQ(2u, state.slot("exp_avg_sq", binary32).size());
  EXPECT_TRUE(state.slot("momentum_buffer", binary32).empty());
  EXPECT_TRUE(state.slot("max_exp_avg_sq", binary32).empty());
  state.moments[1].known = false;
  EXPECT_TRUE(state.slot("exp_avg", binary32).empty());
}

TEST(OptimizerState, BelievesWhatLiesInItsSetOfEachMoment) {
  for (const bool is_first : {true, false}) {
    OptimizerState state = adam();
    for (Moments& m : state.moments) m.second_may_be_infinite = true;
    state.saw(is_first ? "exp_avg" : "exp_avg_sq", binary32, {f32(1.5), f32(3)});
    const auto seen = [&](int i) {
      return is_first ? state.moments[i].first : state.moments[i].second;
    };
    const auto other = [&](int i) {
      return is_first ? state.moments[i].second : state.moments[i].first;
    };
    EXPECT_EQ(Interval(Rational(3) / 2), seen(0));
    EXPECT_EQ(Interval(1, 2), other(0));
    EXPECT_EQ(Interval(1, 2), seen(1));
    EXPECT_EQ(is_first, state.moments[0].second_may_be_infinite);
    EXPECT_TRUE(state.moments[1].second_may_be_infinite);
  }
}

// A report may be shorter than its tensor.
TEST(OptimizerState, TakesAsManyElementsAsWereSeen) {
  OptimizerState state = adam();
  state.saw("exp_avg", binary32, {f32(1)});
  EXPECT_EQ(Interval(1), state.moments[0].first);
  EXPECT_EQ(Interval(1, 2), state.moments[1].first);
  // And longer than what is known of it, which before the first step is nothing.
  OptimizerState fresh(1);
  fresh.saw("exp_avg", binary32, {f32(1), f32(2)});
  EXPECT_EQ(Interval(), fresh.moments[0].first);
  EXPECT_TRUE(fresh.slot("exp_avg", binary32).empty());
  EXPECT_EQ(2u, fresh.seen["exp_avg"].size());
}

}  // namespace
}  // namespace ampcheck::reference
