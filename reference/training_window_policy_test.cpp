// Sessions in which one choice of the policy, or one condition of the model, makes the difference.
#include <gtest/gtest.h>

#include <cmath>

#include "reference/training_window_test.hpp"

namespace ampcheck::reference {
namespace {

// One parameter of one element, whose coefficients are of `coefficients` and delivered in
// `delivered_in`.
struct Single {
  TrainingWindow window;
  const NumberFormat& coefficients;
  const NumberFormat& delivered_in;

  Single(const Policy& policy, double scale, const NumberFormat& parameter = binary32,
         const NumberFormat& c = binary32, const NumberFormat& d = binary32, bool enabled = true)
      : window(policy), coefficients(c), delivered_in(d) {
    window.make_scaler(f32(scale), {f32(2), f32(0.5), 9}, enabled);
    window.make_parameter("p", parameter, patterns(parameter, {0}));
    window.make_optimizer("o", OptimizerRule::sgd, sgd(1), {"p"});
  }
  void add(double c, std::optional<Number> cotangent = {}) {
    window.backward(binary32, 1, {{"p", &coefficients, &delivered_in, patterns(coefficients, {c})}},
                    {}, cotangent);
  }
  const Admissible& gradient() const { return window.unscaled_gradient("p").front(); }
};

Policy unscaling_terms() {
  Policy policy;
  policy.accumulates_unscaled = true;
  return policy;
}

TEST(TrainingWindow, DisabledAddsItsTermsAsTheyAre) {
  Single s(unscaling_terms(), 1024, binary32, binary32, binary32, false);
  for (const double c : {1.0, 2.0}) s.add(c);
  EXPECT_EQ(3, single(s.gradient()));
  // What is flushed is lost once.
  Policy flush = unscaling_terms();
  flush.may_flush = flush.narrow_accumulator = true;
  Single f(flush, 1024, binary16, binary32, binary32, false);
  for (const double c : {0x1p-13, 0x1p-20}) f.add(c);
  EXPECT_EQ(number(binary16, 0x1p-13).bits, f.gradient().lowest());
  EXPECT_EQ(number(binary16, 0x1p-13 + 0x1p-20).bits, f.gradient().highest());
  // Nothing is unscaled, so that nothing leaves the accumulator's format.
  Policy narrow;
  narrow.narrow_accumulator = true;
  narrow.output_is_gradient_format = false;
  Single n(narrow, 1024, binary16, binary16, binary16, false);
  n.add(1);
  EXPECT_EQ(binary16, n.gradient().format());
}

// With r = RN(1/3) in binary32, x·r is rounded to the delivered format or to the parameter's.
TEST(TrainingWindow, UnscalesATermInItsFormatOrItsParameters) {
  Policy policy = unscaling_terms();
  policy.unscale = UnscaleArithmetic::reciprocal_binary32;
  Single wide(policy, 3, binary64);
  wide.add(0x1.234568p0);
  const float x = 3 * 0x1.234568p0f, r = 1 / 3.0f;
  const double in_binary32 = x * r, in_binary64 = static_cast<double>(x) * r;
  EXPECT_NE(in_binary32, in_binary64);
  EXPECT_TRUE(wide.gradient().contains(number(binary64, in_binary32).bits));
  EXPECT_TRUE(wide.gradient().contains(number(binary64, in_binary64).bits));
  // Never in a shorter one.
  Single narrow(unscaling_terms(), 1024, bfloat16);
  narrow.add(1 + 0x1p-20);
  EXPECT_EQ(1 + 0x1p-20, single(narrow.gradient()));
}

// With q the smallest number: 2.5q as a term is 2q, or flushed; fused into 2^-126 + q it makes
// 2^-126 + 3.5q, which is rounded to 4q.
TEST(TrainingWindow, FlushesATermOrFusesIt) {
  Policy policy = unscaling_terms();
  policy.may_flush = true;
  Single s(policy, 0x1p30, binary32, binary64);
  s.add(0x1p-126 + 0x1p-149);
  s.add(2.5 * 0x1p-149);
  EXPECT_TRUE(s.gradient().contains(f32(0x1p-126 + 0x1p-149).bits));
  EXPECT_TRUE(s.gradient().contains(f32(0x1p-126 + 3 * 0x1p-149).bits));
  EXPECT_TRUE(s.gradient().contains(f32(0x1p-126 + 4 * 0x1p-149).bits));
}

// 2^127 is finite, and 2^137 is not.
TEST(TrainingWindow, OverflowsInATermThatIsUnscaled) {
  Single s(unscaling_terms(), 0x1p-10);
  s.add(0x1p127, f32(1));
  EXPECT_EQ(Verdict::overflow, s.window.verdict("o"));
}

// With r = RN(1/3), x·r = (1 + 2^-11)·(1 + 2^-25) is 1 + 2^-11 in binary32 and 1 in binary16.
// Rounded at once to binary16, as a fused multiply-add does it, it were 1 + 2^-10.
TEST(TrainingWindow, DoesNotFuseASingleTerm) {
  Policy policy = unscaling_terms();
  policy.unscale = UnscaleArithmetic::reciprocal_binary32;
  policy.narrow_accumulator = true;
  Single s(policy, 3, binary16);
  s.add(1 + 0x1p-11);
  EXPECT_EQ(1, single(s.gradient()));
}

// What was observed of the seed and the cotangent counts where it is of the loss's format.
TEST(TrainingWindow, GoesOnFromAnObservedSeed) {
  const std::vector<Delivery> deliveries{{"p", &binary32, &binary32, {f32(1).bits, f32(1).bits}}};
  TrainingWindow window = session();
  window.backward(binary32, 2, deliveries, f32(1000));
  EXPECT_EQ(1024, single(window.seed()));
  EXPECT_EQ(500, single(window.cotangent()));
  EXPECT_EQ(500, single(window.scaled_gradient("p")[0]));
  window.zero_grad("o");
  window.backward(binary32, 2, deliveries, number(binary16, 1000), number(binary16, 3));
  EXPECT_EQ(512, single(window.cotangent()));
  EXPECT_EQ(512, single(window.scaled_gradient("p")[0]));
}

TEST(TrainingWindow, MovesItsScaleInAMicroBatchOnlyWhereSoDeclared) {
  Single s(unscaling_terms(), 1024);
  s.add(INFINITY);
  EXPECT_EQ(1024, scale(s.window));
  Policy policy = unscaling_terms();
  policy.update_at_micro_batch = true;
  Single moved(policy, 1024);
  moved.add(INFINITY);
  EXPECT_EQ(512, scale(moved.window));
  Single disabled(policy, 1024, binary32, binary32, binary32, false);
  disabled.add(INFINITY);
  EXPECT_EQ(1, scale(disabled.window));
}

// The window is clean without what it dropped; whether the scale backs off is left open. Not so
// where the rest overflows, too.
TEST(TrainingWindow, ADroppedMicroBatchMayBackOff) {
  Policy policy = unscaling_terms();
  policy.drops_bad_micro_batches = true;
  Single s(policy, 1);
  s.add(1);
  s.add(INFINITY);
  EXPECT_TRUE(s.window.has_dropped());
  EXPECT_EQ(1, single(s.gradient()));
  s.window.step("o");
  EXPECT_EQ(-1, single(s.window.parameter("p")[0]));
  s.window.update();
  EXPECT_FALSE(s.window.has_dropped());
  EXPECT_EQ((std::vector<Rational>{1, Rational(1) / 2}), s.window.scales_in_force());
  Single bad(policy, 1);
  for (const double c : {0x1p127, 0x1p127, static_cast<double>(INFINITY)}) bad.add(c);
  EXPECT_EQ(Verdict::overflow, bad.window.verdict("o"));
  bad.window.step("o");
  bad.window.update();
  EXPECT_EQ(std::vector<Rational>{Rational(1) / 2}, bad.window.scales_in_force());
}

// The scale is taken away once, also where a tensor belongs to two optimizers.
TEST(TrainingWindow, UnscalesATensorOnce) {
  TrainingWindow window = session();
  window.make_alias("again", "p");
  window.make_optimizer("two", OptimizerRule::sgd, sgd(1), {"again"});
  backward(window, {8, 1});
  window.unscale("o");
  window.clip_value({"o"}, f32(2));
  window.unscale("two");
  EXPECT_EQ(2, single(window.unscaled_gradient("p")[0]));
}

TEST(TrainingWindow, HasNoFiniteNormOfInfiniteGradients) {
  TrainingWindow window = session();
  backward(window, {64, 1});  // 65536 in binary16
  window.clip_norm({"o"}, f32(1));
  ASSERT_TRUE(window.norm().has_value());
  EXPECT_FALSE(window.norm()->computed.may_be_finite());
  EXPECT_TRUE(window.unscaled_gradient("p")[1].contains(f32(-77).bits));
}

// Gradients of 2^36, scaled 2^100, whose square overflows; the other one's does not.
TEST(TrainingWindow, TakesTheNormOfScaledGradientsOnlyWhereSoDeclared) {
  const auto norm = [](const Policy& policy) {
    Single s(policy, 0x1p64);
    s.add(0x1p36);
    s.window.clip_norm({"o"}, f32(1));
    return s.window.norm()->computed;
  };
  Policy scaled;
  scaled.norm_of_scaled = true;
  EXPECT_EQ(0x1p36, single(norm({})));
  EXPECT_TRUE(norm(scaled).contains(f32(0x1p36).bits));
  EXPECT_TRUE(norm(scaled).contains(binary32.infinity()));
  Policy terms = scaled;
  terms.accumulates_unscaled = true;
  EXPECT_EQ(0x1p36, single(norm(terms)));
  // Without a scaler the gradients are there once, here as they were clipped.
  TrainingWindow window(scaled);
  window.make_scaler(f32(1024), {f32(2), f32(0.5), 1}, false);
  window.make_parameter("p", binary32, patterns(binary32, {0, 0}));
  window.make_optimizer("o", OptimizerRule::sgd, sgd(1), {"p"});
  backward(window, {3, 40});
  window.clip_value({"o"}, f32(4));
  window.clip_norm({"o"}, f32(100));
  EXPECT_EQ(5, single(window.norm()->computed));
}

// Each term is 2^-130 or flushed as it is unscaled, so that their sum is none to three of them and
// nothing below zero.
TEST(TrainingWindow, FlushesTheTermsThatItUnscalesOnce) {
  Policy policy = unscaling_terms();
  policy.may_flush = true;
  for (const double sign : {1.0, -1.0}) {
    Single s(policy, 1024);
    for (int i = 0; i < 3; ++i) s.add(sign * 0x1p-130);
    EXPECT_EQ(0u, sign > 0 ? s.gradient().lowest() : s.gradient().highest());
    for (int kept = 1; kept <= 3; ++kept)
      EXPECT_TRUE(s.gradient().contains(f32(sign * kept * 0x1p-130).bits));
  }
}

// A gradient that was stepped on and is still there; the largest limit leaves it alone.
TEST(TrainingWindow, ClipsWhatAnUpdateLeft) {
  Single s({}, 1);
  s.add(0x1.8p127);
  s.window.unscale("o");
  s.window.step("o");
  s.window.update();
  s.window.clip_value({"o"}, {&binary32, binary32.max_finite()});
  EXPECT_EQ(0x1.8p127, single(s.gradient()));
}

// Sums of ±60000 in binary16, of which one order overflows: unseen, nobody knows what the step did
// to the state. SGD without momentum has none.
TEST(TrainingWindow, OnlyAStateThatIsUsedMustBeKnown) {
  const Hyper adam{{"lr", f32(0x1p-3)}, {"beta1", f32(0.5)}, {"beta2", f32(0.75)}, {"eps", f32(1)}};
  for (const bool is_sgd : {true, false}) {
    Policy policy;
    policy.narrow_accumulator = true;
    TrainingWindow window(policy);
    window.make_scaler(f32(1), {f32(2), f32(0.5), 9}, true);
    window.make_parameter("p", binary16, patterns(binary16, {0}));
    window.make_optimizer("o", is_sgd ? OptimizerRule::sgd : OptimizerRule::adam,
                          is_sgd ? sgd(0.25) : adam, {"p"});
    for (const double c : {60000.0, 60000.0, -60000.0}) backward(window, {c});
    window.step("o");
    EXPECT_FALSE(window.parameter_is_known("p"));
    window.update();
    window.zero_grad("o");
    window.saw_parameter("p", {Admissible::of(number(binary16, 1))});
    window.saw_scale(1);
    backward(window, {1});
    window.step("o");
    EXPECT_EQ(is_sgd, window.parameter_is_known("p"));
    if (is_sgd) {
      EXPECT_EQ(0.75, single(window.parameter("p")[0]));
    }
  }
}

// A step that was taken had finite gradients, so that its parameter is none of all patterns.
TEST(TrainingWindow, AStepThatWasTakenWasOfFiniteGradients) {
  Policy policy;
  policy.narrow_accumulator = true;
  Single s(policy, 1, binary16, binary16, binary16);
  for (const double c : {60000.0, 60000.0, -60000.0}) s.add(c);
  s.window.step("o", true);
  EXPECT_TRUE(s.window.parameter("p")[0].contains(number(binary16, -60000).bits));
  EXPECT_FALSE(s.window.parameter("p")[0].contains(number(binary16, 1).bits));
}

// Without a scaler nothing skips NaN, and the rules say no more of what it touched.
TEST(TrainingWindow, DisabledKnowsNoStateAfterNan) {
  TrainingWindow window{Policy()};
  window.make_scaler(f32(1), {f32(2), f32(0.5), 9}, false);
  window.make_parameter("p", binary32, patterns(binary32, {0}));
  window.make_optimizer("o", OptimizerRule::sgd, sgd(1, 0.5), {"p"});
  for (const double c : {static_cast<double>(NAN), 1.0}) {
    window.backward(binary32, 1, {{"p", &binary32, &binary32, patterns(binary32, {c})}});
    window.step("o");
    window.update();
    window.zero_grad("o");
    EXPECT_TRUE(window.state("p", "momentum_buffer", binary32).empty());
  }
  EXPECT_FALSE(window.parameter_is_known("p"));
}

// With lr = 1/8, lambda = 1/2 and first moments that make U = lr: p·(1 - 2^-4) - 1/8 in AdamW. In
// Adam g = 1.5 is divided by its own root.
TEST(TrainingWindow, TellsAdamFromAdamW) {
  for (const OptimizerRule rule : {OptimizerRule::adam, OptimizerRule::adamw}) {
    TrainingWindow window{Policy()};
    window.make_scaler(f32(1), {f32(2), f32(0.5), 9}, true);
    window.make_parameter("p", binary32, patterns(binary32, {1}));
    window.make_optimizer("o", rule,
                          {{"lr", f32(0x1p-3)},
                           {"beta1", f32(0.875)},
                           {"beta2", f32(1 - 0x1p-10)},
                           {"eps", f32(0x1p-60)},
                           {"weight_decay", f32(0.5)}},
                          {"p"});
    backward(window, {1});
    window.step("o");
    EXPECT_EQ(rule == OptimizerRule::adamw, !window.parameter("p")[0].contains(f32(0.875).bits));
    EXPECT_EQ(rule == OptimizerRule::adamw,
              window.parameter("p")[0].contains(f32(1 - 0x1p-4 - 0x1p-3).bits));
    EXPECT_EQ(rule == OptimizerRule::adamw ? 0.125 : 0.1875,
              single(window.state("p", "exp_avg", binary32)[0]));
  }
}

// 0/0.
TEST(TrainingWindow, DoesNotKnowAParameterWhoseDenominatorMayBeZero) {
  TrainingWindow window{Policy()};
  window.make_scaler(f32(1), {f32(2), f32(0.5), 9}, true);
  window.make_parameter("p", binary32, patterns(binary32, {1}));
  window.make_optimizer("o", OptimizerRule::adam,
                        {{"lr", f32(1)}, {"beta1", f32(0.5)}, {"beta2", f32(0.5)}, {"eps", f32(0)}},
                        {"p"});
  backward(window, {0});
  window.step("o");
  EXPECT_FALSE(window.parameter_is_known("p"));
}

// A finite test by the norm skips finite gradients whose squares overflow, or does not.
TEST(TrainingWindow, ANormMayFindAnOverflowOfItsOwn) {
  Policy policy;
  policy.finite_test_is_norm = true;
  for (const Policy& with : {Policy(), policy}) {
    Single s(with, 1);
    s.add(0x1p100);
    EXPECT_EQ(with.finite_test_is_norm ? Verdict::unknown : Verdict::clean, s.window.verdict("o"));
  }
  Single bad(policy, 1);
  bad.add(INFINITY);
  EXPECT_EQ(Verdict::overflow, bad.window.verdict("o"));
}

}  // namespace
}  // namespace ampcheck::reference
