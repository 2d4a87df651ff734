// Adam as libraries order its operations, emulated, lies in the set; what is not Adam does not.
#include "reference/adam_step.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "reference/adam_forms_test.hpp"
#include "reference/share_test.hpp"

namespace ampcheck::reference {
namespace {

Policy hat() {
  Policy policy;
  policy.adam_epsilon = AdamEpsilon::hat;
  return policy;
}

Admissible one(const NumberFormat& f, double x) { return Admissible::of(number(f, x)); }

// A run of steps of one form: what was seen is where the next step starts.
void expect_run_inside(const NumberFormat& f, const Form& form, const Settings& s, bool decoupled,
                       const Policy& policy, std::uint64_t seed, const char* name) {
  const Machine w(f);
  std::mt19937_64 random(seed);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53 - 0.5; };
  Element e;
  e.p = w.narrow(uniform());
  Moments moments;
  for (int t = 1; t <= 12; ++t) {
    const double g = w.narrow(uniform() * std::exp2(static_cast<double>(random() % 8) - 4));
    const Admissible before = one(f, e.p);
    form(w, s, decoupled, e, g);
    const auto set = adam_step(before, one(f, g), moments, s.hyper(),
                               decoupled ? WeightDecay::decoupled : WeightDecay::coupled, policy);
    ASSERT_TRUE(set.has_value()) << name << t;
    EXPECT_TRUE(set->contains(w.bits(e.p)))
        << name << ", step " << t << ": " << e.p << " not in " << set->to_string() << ", g " << g
        << ", m " << e.m << ", v " << e.v;
    EXPECT_TRUE(moments.first_in(f).contains(w.bits(e.m))) << name << t;
    EXPECT_TRUE(moments.second_in(f).contains(w.bits(e.v))) << name << t;
    moments.first = rational(e.m);
    moments.second = rational(e.v);
  }
}

TEST(AdamStep, HoldsTheFormsOfLibraries) {
  for (const NumberFormat* f : {&binary32, &bfloat16, &binary16})
    for (const double decay : {0.0, 0.1})
      for (const bool decoupled : {false, true})
        for (std::uint64_t seed = 0; kShare * seed < 12; ++seed) {
          Settings s = kUsual;
          s.eps = seed % 2 == 0 ? 1e-8 : 1e-3;
          // In a short format the square of a small gradient is 0, and epsilon, too.
          if (*f == binary16) s.eps = 1e-3;
          s.decay = decay;
          for (const auto& [name, form] : kPlainForms)
            expect_run_inside(*f, form, s, decoupled, Policy(), seed, name);
          expect_run_inside(*f, keras, s, decoupled, hat(), seed, "keras");
        }
}

TEST(AdamStep, OfDyadicSettingsIsOnePatternAtFirst) {
  for (const double g : {1.0, 4.0, -0.5}) {
    Moments moments;
    const double move = g > 0 ? -0.125 : 0.125;
    const auto first = adam_step(one(binary32, 0), one(binary32, g), moments, kDyadic.hyper(),
                                 WeightDecay::coupled, Policy());
    ASSERT_TRUE(first.has_value());
    EXPECT_EQ(number(binary32, move).bits, first->single());
    EXPECT_EQ(rational(g) / 8, moments.first.low);
    EXPECT_TRUE(moments.first.is_point() && moments.second.is_point());
    const auto second = adam_step(one(binary32, move), one(binary32, g), moments, kDyadic.hyper(),
                                  WeightDecay::coupled, Policy());
    ASSERT_TRUE(second.has_value());
    EXPECT_TRUE(second->contains(number(binary32, 2 * move).bits));
    EXPECT_EQ(Interval(rational(g) * 15 / 64), moments.first);
    EXPECT_EQ(2, moments.step);
  }
}

// The bits that torch 2.13, optax 0.2.8 and Keras 3.15 gave for p = 0, g = 1, lr = 0.1 and their
// usual betas and epsilon.
TEST(AdamStep, HoldsWhatLibrariesGave) {
  Settings s = kUsual;
  s.lr = 0.1;
  const auto set_of = [&](const Policy& policy, double g) {
    Moments moments;
    return *adam_step(one(binary32, 0), one(binary32, g), moments, s.hyper(), WeightDecay::coupled,
                      policy);
  };
  EXPECT_TRUE(set_of(Policy(), 1).contains(number(binary32, -0.09999998658895493).bits));
  EXPECT_TRUE(set_of(Policy(), 1).contains(number(binary32, -0.0999993309378624).bits));
  s.eps = 1e-7;
  EXPECT_TRUE(set_of(hat(), 1).contains(number(binary32, -0.09999901).bits));
  // The two epsilons are different functions where g is near them: 0.05 and 0.0031.
  s.eps = 1e-8;
  EXPECT_TRUE(set_of(Policy(), 1e-8).contains(number(binary32, -0.05).bits));
  EXPECT_FALSE(set_of(hat(), 1e-8).contains(number(binary32, -0.05).bits));
}

// A step count that a skipped step moved on, or that starts at 0.
TEST(AdamStep, TellsTheStepCount) {
  Moments moments;
  const auto right = adam_step(one(binary32, 0), one(binary32, 1), moments, kDyadic.hyper(),
                               WeightDecay::coupled, Policy());
  // m = 1/8 and v = 2^-10 with the corrections of t = 2.
  const double m = 0.125 / (1 - 0.875 * 0.875), v = 0x1p-10 / (1 - std::pow(1 - 0x1p-10, 2));
  EXPECT_FALSE(right->contains(number(binary32, -0.125 * m / std::sqrt(v)).bits));
  // Without the corrections.
  const double uncorrected = -0.125 * 0.125 / 0x1p-5;
  EXPECT_FALSE(right->contains(number(binary32, uncorrected).bits));
  Policy kept;
  kept.adam_corrects_bias = false;
  Moments fresh;
  EXPECT_EQ(number(binary32, uncorrected).bits,
            adam_step(one(binary32, 0), one(binary32, 1), fresh, kDyadic.hyper(),
                      WeightDecay::coupled, kept)
                ->single());
}

TEST(AdamStep, TellsTheKindsOfDecay) {
  Settings s = kDyadic;
  s.decay = 0.5;
  const auto after = [&](WeightDecay decay, const Policy& policy) {
    Moments moments;
    return adam_step(one(binary32, 1), one(binary32, 1), moments, s.hyper(), decay, policy)
        ->single();
  };
  Policy alone;
  alone.adamw_decay = AdamWDecay::alone;
  // g = 1.5 moves as g = 1 does; lr·lambda = 2^-4.
  EXPECT_EQ(number(binary32, 1 - 0.125 - 0x1p-4).bits, after(WeightDecay::decoupled, Policy()));
  EXPECT_EQ(number(binary32, 1 - 0.125 - 0.5).bits, after(WeightDecay::decoupled, alone));
  // Coupled decay is seen in the moments.
  Moments moments;
  adam_step(one(binary32, 1), one(binary32, 1), moments, s.hyper(), WeightDecay::coupled, Policy());
  EXPECT_EQ(Interval(Rational(3) / 16), moments.first);
}

// p - lr·(u + lambda·p) rounds u + lambda·p, also where nothing before it does.
TEST(AdamStep, RoundsADecayInsideOfTheUpdate) {
  Settings s = kDyadic;
  s.decay = 0.25;
  const Machine w(binary32);
  std::mt19937_64 random(4);
  int differ = 0;
  for (int i = 0; i < 500; ++i) {
    const double p = w.narrow(static_cast<double>(random() >> 11) * 0x1p-53);
    Moments moments;
    const auto set = adam_step(one(binary32, p), one(binary32, 1), moments, s.hyper(),
                               WeightDecay::decoupled, Policy());
    const double inside = w.add(p, -w.multiply(0x1p-3, w.add(1, w.multiply(0.25, p))));
    const double before = w.add(w.multiply(p, 1 - 0x1p-5), -0x1p-3);
    EXPECT_TRUE(set->contains(w.bits(inside))) << p << set->to_string();
    EXPECT_TRUE(set->contains(w.bits(before))) << p;
    differ += inside != before ? 1 : 0;
  }
  EXPECT_GT(differ, 50);
}

// beta2 = 2415/4096: √(1 - beta2) is 41/64, and its reciprocal rounds.
TEST(AdamStep, MayMultiplyByTheReciprocalOfACorrection) {
  Settings s = kDyadic;
  s.beta2 = 2415.0 / 4096;
  const Machine w(binary32);
  Moments moments;
  const auto set = adam_step(one(binary32, 0.125), one(binary32, 2), moments, s.hyper(),
                             WeightDecay::coupled, Policy());
  const double v = (1 - s.beta2) * 4, root = w.multiply(w.root(v), w.divide(1, 41.0 / 64));
  EXPECT_NE(0.125, w.divide(0.25, root));
  EXPECT_TRUE(set->contains(w.bits(w.add(0.125, -w.divide(0.25, root)))));
  EXPECT_TRUE(set->contains(0));
}

TEST(AdamStep, OfALongRunKeepsItsNumbersShort) {
  Moments moments;
  Admissible p = one(binary32, 1);
  for (int t = 0; t < 2000; ++t)
    p = *adam_step(one(binary32, 1), one(binary32, 1), moments, kUsual.hyper(),
                   WeightDecay::coupled, Policy());
  EXPECT_TRUE(p.contains(number(binary32, 1 - 1e-3).bits));
  EXPECT_FALSE(p.contains(number(binary32, 1 - 0.9e-3).bits));
}

// The step size in the denominator, as torch's capturable form has it, overflows in binary16.
TEST(AdamStep, IsNotJudgedWhereADenominatorOverflows) {
  Settings s = kUsual;
  s.lr = 3e-4;
  s.beta1 = 0.5;
  Moments moments;
  EXPECT_FALSE(adam_step(one(binary16, 1), one(binary16, -108.75), moments, s.hyper(),
                         WeightDecay::coupled, Policy())
                   .has_value());
}

// g = 1e21: (1 - beta2)·g² overflows, torch and optax keep inf and do not move.
TEST(AdamStep, OfALargeGradientMayNotMove) {
  Moments moments;
  const auto set = adam_step(one(binary32, 1), one(binary32, 1e21), moments, kUsual.hyper(),
                             WeightDecay::coupled, Policy());
  ASSERT_TRUE(set.has_value());
  EXPECT_TRUE(set->contains(number(binary32, 1).bits));
  EXPECT_TRUE(set->contains(number(binary32, 1 - 1e-3).bits));
  EXPECT_TRUE(moments.second_in(binary32).contains(binary32.infinity()));
}

TEST(AdamStep, IsNotJudgedWhereNothingIsKnown) {
  const auto step = [](Moments& moments, const Admissible& p, double g, const Settings& s) {
    return adam_step(p, one(binary32, g), moments, s.hyper(), WeightDecay::coupled, Policy());
  };
  // 0/0.
  Settings no_epsilon = kUsual;
  no_epsilon.eps = 0;
  Moments zero;
  EXPECT_FALSE(step(zero, one(binary32, 0), 0, no_epsilon).has_value());
  EXPECT_TRUE(zero.known);
  // g - m overflows in an interpolation.
  Moments large;
  large.first = rational(-3e38);
  EXPECT_FALSE(step(large, one(binary32, 0), 3e38, kUsual).has_value());
  EXPECT_FALSE(step(large, one(binary32, 0), 1, kUsual).has_value());
  EXPECT_TRUE(large.first_in(binary32).contains(binary32.nan()));
  EXPECT_TRUE(large.second_in(binary32).contains(binary32.nan()));
  Moments infinite;
  EXPECT_FALSE(step(infinite, Admissible::of(binary32, binary32.infinity()), 1, kUsual));
}

// The header's bound of U at the ends of m, v and the bias corrections: 10 roundings, and what
// underflows on the way.
TEST(AdamStep, ReachesAsFarAsItsBoundSays) {
  const Rational u = unit_roundoff(binary32), eta = Rational::power_of_two(-149), one_(1);
  const auto power = [](const Rational& x, std::int64_t n) {
    Rational result(1);
    for (std::int64_t i = 0; i < n; ++i) result *= x;
    return result;
  };
  const auto widened = [](const Interval& x, const Rational& relative, const Rational& absolute) {
    return Interval(x.low - x.low.abs() * relative - absolute,
                    x.high + x.high.abs() * relative + absolute);
  };
  const auto correction = [&](const Rational& beta, std::int64_t t) {
    if (t == 1) return Interval(one_ - beta);
    // Of beta^2 from 1/2 on four units in the last place, which are more than one rounding.
    const Rational exact = power(beta, t), off = u * 4;
    return widened({one_ - exact - off, one_ - exact + off}, u, 0);
  };
  for (const double lr : {0.125, 4.0})
    for (const double eps : {0x1p-3, 4.0})
      for (const double g : {3.0, -0.7, 0x1.3p-140}) {
        Settings s = kDyadic;
        s.lr = lr;
        s.eps = eps;
        Moments moments;
        for (const std::int64_t t : {1, 2}) {
          const auto set = adam_step(one(binary32, 0), one(binary32, static_cast<float>(g)),
                                     moments, s.hyper(), WeightDecay::coupled, Policy());
          ASSERT_TRUE(set.has_value());
          const Interval bias1 = correction(Rational(7) / 8, t),
                         bias2 = correction(one_ - Rational::power_of_two(-10), t);
          Interval mean = moments.second / bias2;
          if (g < 1e-30 && g > 0) mean = {max(mean.low - eta, 0), mean.high + eta};
          const Interval step_size = Interval(rational(lr)) / bias1;
          const Interval denominator =
              widened(square_root(mean) + Interval(rational(eps)), 0, eta * 3 * step_size.high);
          const Interval exact = step_size * moments.first / denominator;
          const Rational growth = power(one_ + u, 10);
          const Rational lost =
              eta * 2 * growth * max(rational(lr), 1) * max(moments.first.magnitude(), 1) *
              (one_ / min(bias1.low, square_root(bias2).low)) * max(one_ / denominator.low, 1);
          const Interval update = widened(exact, growth - 1, lost);
          EXPECT_EQ(round_to(-update.high, binary32), set->lowest()) << g << " " << t;
          EXPECT_EQ(round_to(-update.low, binary32), set->highest()) << g << " " << t;
        }
      }
}

// Where results may be flushed, v of a small gradient may be 0, and the step larger.
TEST(AdamStep, MayFlushItsSquares) {
  Settings s = kUsual;
  Policy flush;
  flush.may_flush = true;
  const auto set_of = [&](const Policy& policy, Moments& moments) {
    return *adam_step(one(binary32, 0x1p-130), one(binary32, 0x1p-60), moments, s.hyper(),
                      WeightDecay::coupled, policy);
  };
  Moments kept, flushed;
  set_of(Policy(), kept);
  set_of(flush, flushed);
  EXPECT_FALSE(kept.second_in(binary32).contains(0));
  EXPECT_TRUE(flushed.second_in(binary32).contains(0));
  // A gradient that is subnormal itself.
  Moments tiny;
  adam_step(one(binary32, 0), one(binary32, 0x1p-130), tiny, s.hyper(), WeightDecay::coupled,
            flush);
  EXPECT_LE(tiny.first.low, Rational(0));
  EXPECT_LE(tiny.first.high, Rational::power_of_two(-120));
}

}  // namespace
}  // namespace ampcheck::reference
