// Steps of Adam where right orders part: what underflows or overflows on the way, and what is
// rounded twice.
#include <gtest/gtest.h>

#include <limits>

#include "reference/adam_forms_test.hpp"
#include "reference/adam_step.hpp"

namespace ampcheck::reference {
namespace {

Admissible one(const NumberFormat& f, double x) { return Admissible::of(number(f, x)); }

const double kLargest = std::numeric_limits<float>::max();

// v = eta and bc2 = 3/4: optax rounds v/bc2 to eta before it takes the root.
TEST(AdamStepExtremes, HoldASquareThatUnderflowsOverItsCorrection) {
  const Settings s{.lr = 1, .beta1 = 0.5, .beta2 = 0.5};
  Element e{.m = 0x1p-74, .v = 0x1p-148, .t = 1};
  Moments moments{rational(e.m), rational(e.v), 1};
  optax(Machine(binary32), s, false, e, 0);
  ASSERT_EQ(0x1p-149, e.v);
  EXPECT_NEAR(-2 * std::sqrt(2) / 3, e.p, 1e-6);  // of v/bc2 unrounded it is -√(2/3)
  const auto set =
      adam_step(one(binary32, 0), one(binary32, 0), moments, s.hyper(), WeightDecay::coupled, {});
  ASSERT_TRUE(set.has_value());
  EXPECT_TRUE(set->contains(number(binary32, e.p).bits)) << set->to_string();
}

// g² = 2^-128 is a number of binary32, and flushed all the same: v = 0, and U = lr·g/eps.
TEST(AdamStepExtremes, MayFlushSquaresThatAreExact) {
  const Settings s{.lr = 1, .beta1 = 0.5, .beta2 = 0.5, .eps = 0x1p-64};
  Policy flush;
  flush.may_flush = true;
  for (const bool flushes : {false, true}) {
    Moments moments;
    const auto set = adam_step(one(binary32, 0), one(binary32, 0x1p-64), moments, s.hyper(),
                               WeightDecay::coupled, flushes ? flush : Policy());
    ASSERT_TRUE(set.has_value());
    EXPECT_EQ(flushes, moments.second_in(binary32).contains(0));
    EXPECT_EQ(flushes, set->contains(number(binary32, -1).bits)) << set->to_string();
    EXPECT_TRUE(set->contains(number(binary32, -0.5).bits)) << set->to_string();
  }
}

// lr·m = 2^-128 may be flushed, and the update with it.
TEST(AdamStepExtremes, MayFlushAProductOfTheNumerator) {
  const Settings s{.lr = 0x1p-120, .beta1 = 0.875, .beta2 = 1 - 0x1p-10};
  Policy flush;
  flush.may_flush = true;
  for (const bool flushes : {false, true}) {
    Moments moments;
    const auto set = adam_step(one(binary32, 0x1p-120), one(binary32, 0x1p-5), moments, s.hyper(),
                               WeightDecay::coupled, flushes ? flush : Policy());
    ASSERT_TRUE(set.has_value());
    EXPECT_TRUE(set->contains(0)) << set->to_string();
    EXPECT_EQ(flushes, set->contains(number(binary32, 0x1p-120).bits)) << set->to_string();
  }
}

// √bc2·lr/bc1 = 2^-127, by which torch's capturable form divides √v, may be flushed, or lr·√bc2 =
// 2^-129, which Keras forms first; all else is normal. The update is 0.
TEST(AdamStepExtremes, MayFlushTheRootOfACorrectionTimesTheRate) {
  for (const AdamEpsilon epsilon : {AdamEpsilon::plain, AdamEpsilon::hat})
    for (const bool flushes : {false, true}) {
      const Settings s{.lr = epsilon == AdamEpsilon::plain ? 0x1p-125 : 0x1p-124,
                       .beta1 = 0.875,
                       .beta2 = 1 - 0x1p-10};
      Policy policy;
      policy.adam_epsilon = epsilon;
      policy.may_flush = flushes;
      Moments moments;
      const auto set = adam_step(one(binary32, 0x1p-120), one(binary32, 0x1p4), moments, s.hyper(),
                                 WeightDecay::coupled, policy);
      ASSERT_TRUE(set.has_value());
      EXPECT_TRUE(set->contains(number(binary32, 0x1p-120 - 0x1p-125).bits) ||
                  epsilon == AdamEpsilon::hat);
      EXPECT_EQ(flushes, set->contains(number(binary32, 0x1p-120).bits)) << set->to_string();
    }
}

// An epsilon below the smallest normal number may be flushed as it is read.
TEST(AdamStepExtremes, MayFlushAnEpsilon) {
  const Settings s{.lr = 0x1p-60, .beta1 = 0.5, .beta2 = 0.5, .eps = 0x1p-127};
  Policy flush;
  flush.may_flush = true;
  for (const bool flushes : {false, true}) {
    Moments moments;
    EXPECT_EQ(flushes, !adam_step(one(binary32, 0), one(binary32, 0), moments, s.hyper(),
                                  WeightDecay::coupled, flushes ? flush : Policy())
                            .has_value());
  }
}

// torch's capturable form divides by √bc2·lr/bc1, which is some 30·eta here and rounded to it.
TEST(AdamStepExtremes, HoldAStepSizeThatUnderflowsInTheDenominator) {
  const Machine w(binary32);
  Settings s = kUsual;
  s.beta1 = 0.5;
  s.eps = 0;
  for (int k = 512; k < 600; ++k) {
    s.lr = k * 0x1p-149;
    Element e{.m = 1, .v = 0x1p-40, .t = 1};
    Moments moments{rational(e.m), rational(e.v), 1};
    Torch{w, s, false}.capturable(e, 0);
    const auto set =
        adam_step(one(binary32, 0), one(binary32, 0), moments, s.hyper(), WeightDecay::coupled, {});
    ASSERT_TRUE(set.has_value());
    EXPECT_TRUE(set->contains(w.bits(e.p))) << e.p << set->to_string();
  }
}

// Over a step size of 2^110 a denominator of 2^-20 is subnormal, and known to 20 bits only.
TEST(AdamStepExtremes, HoldADenominatorThatUnderflowsOverTheStepSize) {
  const Machine w(binary32);
  Settings s{.beta1 = 0.5, .beta2 = 0.5};
  for (int k = 33; k < 64; ++k) {
    s.lr = k * 0x1p105;
    Element e{.m = 0x1p-60, .v = 0x1p-40, .t = 1};
    Moments moments{rational(e.m), rational(e.v), 1};
    Torch{w, s, false}.capturable(e, 0);
    const auto set =
        adam_step(one(binary32, 0), one(binary32, 0), moments, s.hyper(), WeightDecay::coupled, {});
    ASSERT_TRUE(set.has_value());
    EXPECT_TRUE(set->contains(w.bits(e.p))) << e.p << set->to_string();
  }
}

// lambda·p = 2.5·eta is rounded to 2·eta, which lr takes back to 2^-28.
TEST(AdamStepExtremes, HoldADecayThatUnderflowsBeforeItsRate) {
  const Settings s{.lr = 0x1p120, .beta1 = 0.5, .beta2 = 0.75, .eps = 1, .decay = 0x5p-130};
  const Machine w(binary32);
  Element e{.p = 0x1p-20};
  optax(w, s, true, e, 0);
  ASSERT_EQ(0x1p-20 - 0x1p-28, e.p);
  Moments moments;
  const auto set = adam_step(one(binary32, 0x1p-20), one(binary32, 0), moments, s.hyper(),
                             WeightDecay::decoupled, {});
  ASSERT_TRUE(set.has_value());
  EXPECT_TRUE(set->contains(w.bits(e.p))) << set->to_string();
}

// With beta1 = 0.999 of binary32, (1 - beta1)·g/(1 - beta1) is 1.3e-5 larger than g, so that
// optax's m/bc1 is inf, and its update inf/inf, whatever lr makes of it.
TEST(AdamStepExtremes, AreNotJudgedWhereACorrectedMomentOverflows) {
  Settings s = kUsual;
  s.beta1 = 0.999;
  const double g = static_cast<float>(kLargest * (1 - 0x1p-20));
  for (const double lr : {1.0, 0x1p-3}) {
    s.lr = lr;
    Element e;
    optax(Machine(binary32), s, false, e, g);
    EXPECT_FALSE(std::isfinite(e.p));
    Moments moments;
    EXPECT_FALSE(
        adam_step(one(binary32, 0), one(binary32, g), moments, s.hyper(), WeightDecay::coupled, {})
            .has_value());
  }
}

// lr·m/bc1 = lr·g is less than the largest number. lr/bc1 is rounded up, and its product with m is
// inf.
TEST(AdamStepExtremes, AreNotJudgedWhereAProductIsRoundedBeyondTheRange) {
  const Settings s{.lr = 0x1.03356ap124, .beta1 = 11.0 / 64, .beta2 = 1 - 0x1p-10};
  const double g = 0x1.f9a98p3;
  ASSERT_LT(s.lr * g, kLargest);  // of 42 bits
  Element e;
  Torch{Machine(binary32), s, false}.loop(e, g);
  ASSERT_EQ(g * 53 / 64, e.m);
  EXPECT_FALSE(std::isfinite(e.p));
  Moments moments;
  EXPECT_FALSE(
      adam_step(one(binary32, 0), one(binary32, g), moments, s.hyper(), WeightDecay::coupled, {})
          .has_value());
}

// The reciprocal of a denominator of 2^-128 is inf, and 0·inf is NaN.
TEST(AdamStepExtremes, AreNotJudgedWhereTheReciprocalOfADenominatorOverflows) {
  for (const bool judged : {false, true}) {
    const Settings s{
        .lr = 0x1p-60, .beta1 = 0.5, .beta2 = 0.5, .eps = judged ? 0x1p-127 : 0x1p-128};
    Element e;
    reciprocals(Machine(binary32), s, false, e, 0);
    ASSERT_EQ(judged, std::isfinite(e.p));
    Moments moments;
    const auto set =
        adam_step(one(binary32, 0), one(binary32, 0), moments, s.hyper(), WeightDecay::coupled, {});
    EXPECT_EQ(judged, set.has_value());
  }
}

// (1 - beta2)·g² = v is finite, and v/bc2 is inf.
TEST(AdamStepExtremes, MayNotMoveWhereACorrectedSquareOverflows) {
  const double g = static_cast<float>(std::sqrt(kLargest) * (1 - 0x1p-20));
  Element e{.p = 1};
  optax(Machine(binary32), kUsual, false, e, g);
  EXPECT_EQ(1, e.p);
  EXPECT_TRUE(std::isfinite(e.v));
  Moments moments;
  const auto set = adam_step(one(binary32, 1), one(binary32, g), moments, kUsual.hyper(),
                             WeightDecay::coupled, {});
  ASSERT_TRUE(set.has_value());
  EXPECT_TRUE(set->contains(number(binary32, 1).bits)) << set->to_string();
  EXPECT_TRUE(set->contains(number(binary32, 1 - 1e-3).bits)) << set->to_string();
  EXPECT_FALSE(moments.second_may_be_infinite);
}

// v = inf stays what it is in torch and optax; v + (1 - beta2)·(g² - v) is NaN in the step after.
TEST(AdamStepExtremes, MayGoOnFromAnInfiniteSquareWithNaN) {
  Policy hat;
  hat.adam_epsilon = AdamEpsilon::hat;
  Element e;
  Moments moments;
  for (const double g : {1e20, 1.0}) {
    const Admissible before = one(binary32, e.p);
    keras(Machine(binary32), kUsual, false, e, g);
    const auto set =
        adam_step(before, one(binary32, g), moments, kUsual.hyper(), WeightDecay::coupled, hat);
    ASSERT_TRUE(set.has_value());
    EXPECT_TRUE(set->contains(number(binary32, e.p).bits)) << e.p << set->to_string();
    EXPECT_TRUE(moments.second_in(binary32).contains(number(binary32, e.v).bits)) << e.v;
    EXPECT_EQ(g == 1, std::isnan(e.p));
    EXPECT_EQ(g == 1, set->may_be_non_finite());
  }
}

// lr/bc1 is 2^126, and bc1·RN(1/lr) = 2^-126·41·RN(1/41) is tiny before it is rounded.
TEST(AdamStepExtremes, AreNotJudgedWhereTheReciprocalOfTheStepSizeIsTiny) {
  Settings s{.lr = 0x29p120, .beta1 = 23.0 / 64, .beta2 = 0.5, .eps = 0x1p20};
  for (const bool judged : {false, true}) {
    ASSERT_EQ(judged, 41.0 / 64 * Machine(binary32).divide(1, s.lr) >= 0x1p-126);
    Moments moments;
    const auto set = adam_step(one(binary32, 0), one(binary32, 0x1p-20), moments, s.hyper(),
                               WeightDecay::coupled, {});
    EXPECT_EQ(judged, set.has_value());
    s.lr /= 2;
  }
}

// lambda·p is inf in binary32, and lr·lambda·p is not.
TEST(AdamStepExtremes, AreNotJudgedWhereADecayOverflows) {
  Settings s = kDyadic;
  s.decay = 0x1p100;
  s.lr = 0x1p-110;
  for (const WeightDecay decay : {WeightDecay::coupled, WeightDecay::decoupled}) {
    Moments moments;
    EXPECT_FALSE(adam_step(one(binary32, 0x1p60), one(binary32, 1), moments, s.hyper(), decay, {})
                     .has_value());
    EXPECT_EQ(decay == WeightDecay::decoupled, moments.known);
  }
}

// lr·lambda = 3/2: (lr·lambda)·p overflows where p·(1 - lr·lambda) does not, and torch has -inf.
TEST(AdamStepExtremes, KnowNothingWhereDecoupledDecayOverflows) {
  const auto known = [](double p, double lr, double decay) {
    const Settings s{.lr = lr, .beta1 = 0.5, .beta2 = 0.5, .eps = 1, .decay = decay};
    Moments moments;
    return adam_step(one(binary32, p), one(binary32, 1), moments, s.hyper(), WeightDecay::decoupled,
                     {})
        .has_value();
  };
  EXPECT_FALSE(known(kLargest, 3, 0.5));
  EXPECT_FALSE(known(kLargest, 0x1p64, 0x1p64));
  EXPECT_TRUE(known(kLargest, 0.5, 0.5));
  EXPECT_TRUE(known(kLargest / 2, 3, 0.5));
}

// lambda·p is inf, whatever is added to it or multiplied with it.
TEST(AdamStepExtremes, KnowNothingOfADecayThatOverflowsAlone) {
  const auto step = [](double g, double lr, WeightDecay decay, Moments& moments) {
    const Settings s{.lr = lr, .beta1 = 0.5, .beta2 = 0.5, .eps = 1, .decay = 4.5};
    return adam_step(one(binary32, 0x1p126), one(binary32, g), moments, s.hyper(), decay, {});
  };
  Moments coupled, decoupled;
  EXPECT_FALSE(step(-0x1p127, 1, WeightDecay::coupled, coupled).has_value());
  EXPECT_FALSE(coupled.known);
  EXPECT_FALSE(step(1, 0, WeightDecay::decoupled, decoupled).has_value());
  EXPECT_TRUE(decoupled.known);
}

// U of m = ±2^10 and v = 0 is lr·2^112 or so. Of its sign hangs whether what it is added to
// overflows.
TEST(AdamStepExtremes, KnowNothingWhereDecayAndUpdateOverflowTogether) {
  const auto known = [](double p, double lr, double decay, double m) {
    const Settings s{.lr = lr, .beta1 = 0.5, .beta2 = 0.5, .eps = 0x1p-102, .decay = decay};
    Moments moments{rational(m), Rational(0), 1};
    return adam_step(one(binary32, p), one(binary32, 0), moments, s.hyper(), WeightDecay::decoupled,
                     {})
        .has_value();
  };
  // lr·lambda·p is the largest number.
  EXPECT_FALSE(known(kLargest / 2, 4, 0.5, 0x1p10));
  EXPECT_TRUE(known(kLargest / 2, 4, 0.5, -0x1p10));
  // It is just beyond that.
  EXPECT_FALSE(known(kLargest / 2, 4, 0.5 + 0x1p-20, -0x1p10));
  // lambda·p is, and lr small.
  EXPECT_FALSE(known(kLargest * 0x1p-27, 0x1p-30, 0x1p27, 0x1p10));
  EXPECT_TRUE(known(kLargest * 0x1p-27, 0x1p-30, 0x1p27, -0x1p10));
}

}  // namespace
}  // namespace ampcheck::reference
