// Clips in a session whose gradients are still scaled as they are clipped, or may be scaled by one
// of several scales.
#include <gtest/gtest.h>

#include <cmath>

#include "reference/training_window_test.hpp"

namespace ampcheck::reference {
namespace {

// Scaled gradients of 2^100 are 2^64 after a clip to 1, and their squares overflow no more.
TEST(TrainingWindow, TakesTheNormOfScaledGradientsAsClipsLeftThem) {
  Policy policy;
  policy.norm_of_scaled = true;
  TrainingWindow window = session(policy, 0x1p60);
  const auto add = [&](double c) {
    window.backward(binary32, 1, {{"p", &binary32, &binary32, patterns(binary32, {c, 0})}});
  };
  add(0x1p40);
  window.clip_value({"o"}, f32(1));
  window.clip_norm({"o"}, f32(0.25));
  EXPECT_EQ(1, single(window.norm()->computed));
  window.clip_norm({"o"}, f32(1));
  EXPECT_EQ(0.25, single(window.norm()->computed));
  window.step("o");
  window.update();
  window.zero_grad("o");
  add(0x1p-10);
  window.clip_norm({"o"}, f32(1));
  EXPECT_EQ(0x1p-10, single(window.norm()->computed));
}

// RN(S·M) twice, their norm and then the scale: not always what the limit twice has.
TEST(TrainingWindow, HoldsTheNormOfScaledGradientsClippedByValue) {
  const Machine m(binary32);
  int differ = 0;
  for (const double scale : {100.0, 300.0, 700.0, 1300.0})
    for (int k = 1; k < 64; ++k) {
      const double limit = m.divide(k, 1000), scaled = m.multiply(limit, scale);
      const double square = m.multiply(scaled, scaled);
      const double norm = m.divide(m.root(m.add(square, square)), scale);
      for (const bool of_scaled : {false, true}) {
        Policy policy;
        policy.norm_of_scaled = of_scaled;
        TrainingWindow window = session(policy, scale);
        backward(window, {8, -8});
        window.clip_value({"o"}, f32(limit));
        window.clip_norm({"o"}, f32(1));
        const bool holds = window.norm()->computed.contains(m.bits(norm));
        EXPECT_TRUE(!of_scaled || holds) << scale << " " << limit;
        differ += !holds;
      }
    }
  EXPECT_GT(differ, 0);
}

// A dropped micro-batch leaves open which of two scales is in force, and a clip by value may go by
// either. Where terms are unscaled as they come, no scale is left for it.
TEST(TrainingWindow, ClipsByValueUnderEveryScaleInForce) {
  const Machine m(binary32);
  const double limit = 0.05f, other = m.divide(m.multiply(limit, 163), 163);
  ASSERT_NE(limit, other);
  Policy policy;
  policy.drops_bad_micro_batches = true;
  for (const bool unscales_terms : {false, true}) {
    policy.accumulates_unscaled = unscales_terms;
    TrainingWindow window(policy);
    window.make_scaler(f32(128), {f32(2), f32(163.0 / 128), 9}, true);
    window.make_parameter("p", binary32, patterns(binary32, {0}));
    window.make_optimizer("o", OptimizerRule::sgd, sgd(1), {"p"});
    backward(window, {1});
    backward(window, {INFINITY});
    window.step("o");
    window.update();
    window.zero_grad("o");
    ASSERT_EQ(2u, window.scales_in_force().size());
    backward(window, {1});
    window.clip_value({"o"}, f32(limit));
    EXPECT_EQ(!unscales_terms, window.unscaled_gradient("p")[0].contains(m.bits(other)));
    EXPECT_TRUE(window.unscaled_gradient("p")[0].contains(m.bits(limit)));
  }
}

// From an update on no scale is that of the gradients, which are unscaled.
TEST(TrainingWindow, ClipsByValueAfterItsUpdate) {
  Policy policy;
  policy.norm_of_scaled = true;
  TrainingWindow window = session(policy, 128);
  backward(window, {8, -0.5});
  window.unscale("o");
  window.update();
  window.clip_value({"o"}, f32(1));
  EXPECT_EQ(1, single(window.unscaled_gradient("p")[0]));
  EXPECT_EQ(-0.5, single(window.unscaled_gradient("p")[1]));
}

}  // namespace
}  // namespace ampcheck::reference
