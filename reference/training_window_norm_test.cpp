// Norms of a session that overflow, or are none at all.
#include <gtest/gtest.h>

#include "reference/training_window_test.hpp"

namespace ampcheck::reference {
namespace {

// Gradients of two elements under S = 1.
TrainingWindow with_gradient(const std::vector<double>& gradient, const Policy& policy = {}) {
  TrainingWindow window = session(policy, 1);
  window.backward(binary32, 1, {{"p", &binary32, &binary32, patterns(binary32, gradient)}});
  return window;
}

TEST(TrainingWindow, TakesTheNormThatIsAskedFor) {
  for (const auto& [p, norm] : {std::pair(1.0, 7.0), {2.0, 5.0}, {INFINITY, 4.0}}) {
    TrainingWindow window = with_gradient({3, -4});
    window.clip_norm({"o"}, f32(norm / 2), norm_order(f32(p)));
    EXPECT_EQ(norm, single(window.norm()->computed));
    EXPECT_EQ(1.5, single(window.unscaled_gradient("p")[0]));
  }
}

TEST(TrainingWindow, HasNoFiniteNormOfAnInf) {
  for (const auto& [bad, is_true] :
       {std::pair(INFINITY, false), {INFINITY, true}, {NAN, false}, {NAN, true}}) {
    TrainingWindow window = with_gradient({bad, 1});
    if (is_true) window.take_true_norms();
    window.clip_norm({"o"}, f32(1), norm_order(f32(INFINITY)));
    ASSERT_TRUE(window.norm());
    EXPECT_FALSE(window.norm()->computed.may_be_finite());
    EXPECT_TRUE(window.norm()->computed.contains(binary32.nan()));
    EXPECT_TRUE(window.clip_may_refuse());
    EXPECT_EQ(Verdict::overflow, window.verdict("o"));
  }
  TrainingWindow clean = with_gradient({3, 4});
  clean.clip_norm({"o"}, f32(1));
  EXPECT_FALSE(clean.clip_may_refuse());
}

// By the declared algorithm an overflow leaves everything open; the true norm leaves one value.
TEST(TrainingWindow, ClipsByTheTrueNorm) {
  for (const double unit : {0x1p70, 0x1p126}) {
    TrainingWindow open = with_gradient({unit, unit / 4});
    open.clip_norm({"o"}, f32(1));
    EXPECT_TRUE(open.clip_may_refuse());
    EXPECT_TRUE(open.unscaled_gradient("p")[0].contains(0));
    TrainingWindow window = with_gradient({unit * 0.75, -unit});
    window.take_true_norms();
    window.clip_norm({"o"}, f32(1.25));
    EXPECT_TRUE(window.clip_may_refuse());
    EXPECT_EQ(0.75, single(window.unscaled_gradient("p")[0]));
    EXPECT_EQ(-1, single(window.unscaled_gradient("p")[1]));
  }
  // The norm itself is none of binary32's numbers.
  for (const bool narrow : {false, true}) {
    Policy policy;
    policy.narrow_norm = narrow;
    TrainingWindow window = with_gradient({0x1.8p127, -0x1p127 * 2 * (1 - 0x1p-24)}, policy);
    window.take_true_norms();
    window.clip_norm({"o"}, f32(1));
    EXPECT_FALSE(window.norm()->computed.may_be_finite());
    EXPECT_FALSE(window.unscaled_gradient("p")[0].contains(0));
    EXPECT_TRUE(window.unscaled_gradient("p")[0].contains(f32(0.6).bits));
  }
}

// With all of it over four in binary32, as optax has it: a quotient that is rounded before it is
// multiplied.
TEST(TrainingWindow, ClipsBeyondItsRangeByTheDeclaredFormula) {
  const Machine m(binary32);
  const double g = 0x1.8p127, norm = std::sqrt(2.0) * g,
               quotient = m.divide(g / 4, m.narrow(norm / 4));
  int differ = 0;
  for (int limit = 1; limit < 64; ++limit) {
    TrainingWindow window = with_gradient({g, g});
    window.take_true_norms();
    window.clip_norm({"o"}, f32(limit));
    ASSERT_FALSE(window.norm()->computed.may_be_finite());
    const Admissible& clipped = window.unscaled_gradient("p")[0];
    const double rounded = m.multiply(limit, quotient);
    EXPECT_TRUE(clipped.contains(m.bits(rounded))) << limit;
    EXPECT_TRUE(clipped.contains(m.bits(limit * (g / norm)))) << limit;
    EXPECT_FALSE(clipped.contains(m.bits(1.001 * rounded))) << limit;
    differ += rounded != m.narrow(limit * (g / norm)) ? 1 : 0;
  }
  EXPECT_GT(differ, 9);
}

// A step that an overflow of the norm skips by declaration may still be skipped.
TEST(TrainingWindow, KeepsTheDeclaredVerdictBesideTheTrueNorm) {
  Policy policy;
  policy.finite_test_is_norm = true;
  TrainingWindow window = with_gradient({0x1p100, 0x1p100}, policy);
  window.take_true_norms();
  window.clip_norm({"o"}, f32(1));
  EXPECT_EQ(Verdict::unknown, window.verdict("o"));
}

TEST(TrainingWindow, DividesTheTrueNormOfScaledGradients) {
  Policy policy;
  policy.norm_of_scaled = true;
  TrainingWindow window = session(policy, 1024);
  window.backward(binary32, 1,
                  {{"p", &binary32, &binary32, patterns(binary32, {0x1.8p71, -0x1p72})}});
  window.take_true_norms();
  window.clip_norm({"o"}, f32(0x1.4p72));
  EXPECT_EQ(0x1.4p72, single(window.norm()->computed));
}

// 2^127 + 2^127 - 2^127 is inf or 2^127, as the order has it.
TEST(TrainingWindow, DoesNotKnowANormThatMayBeFinite) {
  TrainingWindow window = session({}, 1);
  for (const double x : {0x1p127, 0x1p127, -0x1p127})
    window.backward(binary32, 1, {{"p", &binary32, &binary32, patterns(binary32, {x, 1})}});
  window.clip_norm({"o"}, f32(1));
  EXPECT_FALSE(window.norm());
  EXPECT_TRUE(window.clip_may_refuse());
}

// Only a norm that is beyond its format is taken of smaller gradients: here 3·2^-149 over 2 has its
// two neighbours.
TEST(TrainingWindow, ClipsASmallElementByANormInRange) {
  TrainingWindow window = with_gradient({0x1.8p-148, 1});
  window.clip_norm({"o"}, f32(0.5));
  EXPECT_EQ(0.5, single(window.unscaled_gradient("p")[1]));
  for (const std::uint64_t bits : window.unscaled_gradient("p")[0].patterns()) {
    EXPECT_GE(bits, 1u);
    EXPECT_LE(bits, 2u);
  }
}

}  // namespace
}  // namespace ampcheck::reference
