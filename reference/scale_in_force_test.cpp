// The schedule of the scale as a session sees it.
#include <gtest/gtest.h>

#include "reference/training_window_test.hpp"

namespace ampcheck::reference {
namespace {

void one_window(TrainingWindow& window, double coefficient) {
  backward(window, {coefficient, 1});
  window.step("o");
  window.update();
  window.zero_grad("o");
}

// With a lag the next window is still scaled, and unscaled, with the scale before.
TEST(ScaleInForce, ScalesAndUnscales) {
  Policy policy;
  policy.scale_lags = true;
  TrainingWindow window = session(policy);
  one_window(window, 1e5);
  EXPECT_EQ(1024, scale(window));
  backward(window, {1, 1});
  EXPECT_EQ(1024, single(window.seed()));
  EXPECT_EQ(1, single(window.unscaled_gradient("p")[0]));
  window.step("o");
  window.update();
  EXPECT_EQ(512, scale(window));
  // What is seen is the scale in force, and says nothing of the one that follows it.
  window.saw_scale(512);
  window.zero_grad("o");
  one_window(window, 1e5);
  one_window(window, 1);
  EXPECT_EQ(256, scale(window));
}

TEST(ScaleInForce, MayOrMustRaiseAtTheFloor) {
  Policy policy;
  policy.floor = 512;
  policy.at_floor = AtFloor::raise;
  TrainingWindow window = session(policy);
  one_window(window, 1e5);
  EXPECT_FALSE(window.may_raise() || window.must_raise());
  one_window(window, 1e5);
  EXPECT_TRUE(window.may_raise() && window.must_raise());
  backward(window, {1, 1});
  EXPECT_FALSE(window.may_raise() || window.must_raise());
  window.step("o");
  window.update();
  EXPECT_FALSE(window.may_raise() || window.must_raise());
  // From below it is open; a session that goes on did not raise.
  TrainingWindow below = session(policy, 256);
  one_window(below, 1e5);
  EXPECT_TRUE(below.may_raise() && !below.must_raise());
  EXPECT_EQ(2u, below.scales().size());
  below.saw_scale(512);
  one_window(below, 1e5);
  EXPECT_TRUE(below.must_raise());
}

// What is still to come into force does not widen what may be seen now.
TEST(ScaleInForce, IsOneForSeveralStates) {
  Policy policy;
  policy.floor = 512;
  policy.scale_lags = true;
  TrainingWindow window = session(policy, 256);
  one_window(window, 1e5);
  EXPECT_EQ(2u, window.scales().size());
  EXPECT_EQ(std::vector<Rational>{256}, window.scales_in_force());
  one_window(window, 1);
  EXPECT_EQ((std::vector<Rational>{256, 512}), window.scales_in_force());
}

// Where every micro-batch moves the scale, it is its backward that raises, not the update.
TEST(ScaleInForce, MayRaiseInAMicroBatch) {
  Policy policy;
  policy.floor = 1024;
  policy.at_floor = AtFloor::raise;
  policy.accumulates_unscaled = policy.update_at_micro_batch = true;
  TrainingWindow window = session(policy);
  backward(window, {1e5, 1});
  EXPECT_TRUE(window.must_raise());
  window.step("o");
  window.update();
  EXPECT_FALSE(window.may_raise() || window.must_raise());
}

}  // namespace
}  // namespace ampcheck::reference
