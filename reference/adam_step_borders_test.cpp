// Steps of Adam whose sets, or the ends of them, are known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/adam_forms_test.hpp"
#include "reference/adam_step.hpp"

namespace ampcheck::reference {
namespace {

using testing::UnorderedElementsAre;

Admissible one(const NumberFormat& f, double x) { return Admissible::of(number(f, x)); }

const double kLargest = as_double({&binary32, binary32.max_finite()});

Rational two_to(int exponent) { return Rational::power_of_two(exponent); }

// A first step.
std::optional<Admissible> step(const NumberFormat& f, double p, double g, const Settings& s,
                               const Policy& policy = {}, WeightDecay decay = WeightDecay::coupled,
                               Moments moments = {}) {
  return adam_step(one(f, p), one(f, g), moments, s.hyper(), decay, policy);
}

std::vector<double> numbers(const Admissible& set) {
  std::vector<double> values;
  EXPECT_FALSE(set.is_interval()) << set.to_string();
  for (const std::uint64_t bits : set.patterns())
    values.push_back(as_double({&set.format(), bits}));
  return values;
}

// Both ends moved outwards.
Interval widened(const Interval& x, const Rational& relative, const Rational& absolute) {
  return {x.low - x.low.abs() * relative - absolute, x.high + x.high.abs() * relative + absolute};
}

// The header's bound of U, from p = 0: ten roundings, and what may be lost by underflow, with as
// many.
void expect_ends(const std::optional<Admissible>& set, const Interval& exact,
                 const Rational& lost) {
  ASSERT_TRUE(set.has_value());
  const NumberFormat& f = set->format();
  Rational growth(1);
  for (int i = 0; i < 10; ++i) growth *= Rational(1) + unit_roundoff(f);
  const Interval update = widened(exact, growth - 1, lost * growth);
  EXPECT_EQ(round_to(-update.high, f), set->lowest());
  EXPECT_EQ(round_to(-update.low, f), set->highest());
}

// ---- the moments

// m = (1 - 1/2)·m + 1/2·g for m from 1 to 1 + 2^-10 and g = -1, as m + 1/2·(g - m): the difference
// is 2 and more, and loses u of that, as half of it does. Each underflow loses eta at most.
TEST(AdamStepBorders, OfAnInterpolationOfMoments) {
  Settings s = kDyadic;
  s.beta1 = 0.5;
  Moments moments;
  moments.first = Interval(1, Rational(1) + two_to(-10));
  moments.step = 1;
  adam_step(one(binary32, 0), one(binary32, -1), moments, s.hyper(), WeightDecay::coupled, {});
  const Rational u = two_to(-24), eta = two_to(-149);
  const Rational off = (Rational(1) + two_to(-11)) * (u * 2 + u * u) + eta * 2;
  EXPECT_EQ(widened({-off, two_to(-11) + off}, u, eta), moments.first);
}

// Squares of gradients from -1/8 to 1/4 go from 0 on.
TEST(AdamStepBorders, OfSquaresOfAnInterval) {
  Moments moments;
  const Admissible g =
      Admissible::between(binary32, number(binary32, -0.125).bits, number(binary32, 0.25).bits);
  adam_step(one(binary32, 0), g, moments, kDyadic.hyper(), WeightDecay::coupled, {});
  const Admissible v = moments.second_in(binary32);
  EXPECT_TRUE(v.contains(0) && v.contains(number(binary32, 0x1p-14).bits)) << v.to_string();
  EXPECT_FALSE(v.contains(number(binary32, 0x1.00001p-14).bits)) << v.to_string();
}

// (1 - beta1)·g/(1 - beta1) may come out one number beyond the largest gradient.
TEST(AdamStepBorders, OfTheLargestGradientAreNotKnown) {
  Settings s = kUsual;
  s.lr = 1;
  EXPECT_FALSE(step(binary32, 1, kLargest, s).has_value());
  EXPECT_TRUE(step(binary32, 1, 0x1p127, s).has_value());
}

// g - m is g, and m = g/8.
TEST(AdamStepBorders, OfTheLargestGradientTheMomentsAreKnown) {
  Moments moments;
  adam_step(one(binary32, 0), one(binary32, kLargest), moments, kDyadic.hyper(),
            WeightDecay::coupled, {});
  EXPECT_TRUE(moments.known);
  EXPECT_TRUE(moments.first_in(binary32).contains(number(binary32, kLargest / 8).bits));
}

// g + lambda·p is inf, however near m comes to it.
TEST(AdamStepBorders, OfAGradientThatADecayTakesBeyondTheRange) {
  Settings s = kDyadic;
  s.decay = 1;
  Moments moments;
  moments.first = rational(kLargest);
  moments.step = 1;
  EXPECT_FALSE(adam_step(one(binary32, 0x1p127), one(binary32, kLargest), moments, s.hyper(),
                         WeightDecay::coupled, {})
                   .has_value());
  EXPECT_FALSE(moments.known);
}

// Neither v nor g² overflows, but the mean of them may, rounded up.
TEST(AdamStepBorders, OfASecondMomentThatMayOverflow) {
  Moments moments;
  moments.second = value_of(binary32.max_finite(), binary32);
  moments.step = 1;
  Moments kept = moments;
  const auto set = adam_step(one(binary32, 1), one(binary32, 0x1.fffffep63), moments,
                             kUsual.hyper(), WeightDecay::coupled, {});
  EXPECT_TRUE(moments.second_may_be_infinite);
  EXPECT_TRUE(set->contains(number(binary32, 1).bits));
  adam_step(one(binary32, 1), one(binary32, 1), kept, kUsual.hyper(), WeightDecay::coupled, {});
  EXPECT_FALSE(kept.second_may_be_infinite);
}

// With beta1 = 0, m is g: a subnormal one may be flushed, the smallest normal number may not.
TEST(AdamStepBorders, OfAFlushedGradient) {
  Policy flush;
  flush.may_flush = true;
  Settings s = kDyadic;
  s.beta1 = 0;
  const auto first = [&](double g) {
    Moments moments;
    adam_step(one(binary32, 0), one(binary32, g), moments, s.hyper(), WeightDecay::coupled, flush);
    return moments.first;
  };
  EXPECT_EQ(Interval(two_to(-126)), first(0x1p-126));
  EXPECT_EQ(Interval(two_to(10)), first(0x1p10));
  EXPECT_LE(first(0x1p-127).low, Rational(0));
}

// beta1 lies just above the middle of two numbers of bfloat16, which binary32 makes the middle, and
// bfloat16 then the lower one: (1 - u)² of that, and eta less of each rounding.
TEST(AdamStepBorders, OfASettingThatIsRoundedTwice) {
  Settings s = kDyadic;
  s.beta1 = 0x1.fdp-1 + 0x1p-40;
  Moments moments;
  moments.first = Rational(1);
  adam_step(one(bfloat16, 0), one(bfloat16, 0), moments, s.hyper(), WeightDecay::coupled, {});
  const Rational u = two_to(-8), eta = two_to(-133), down = Rational(1) - u;
  EXPECT_EQ((rational(0x1.fcp-1) * down - eta) * down - eta, moments.first.low);
}

// ---- corrections

// A beta that binary32 rounds to 1 leaves a correction of 0.
TEST(AdamStepBorders, OfABetaThatMayBeOne) {
  for (double Settings::*beta : {&Settings::beta1, &Settings::beta2}) {
    Settings s = kDyadic;
    s.*beta = 1 - 0x1p-40;
    EXPECT_FALSE(step(binary32, 0, 1, s).has_value());
  }
}

// The header's bound, 10 roundings of U, with a correction that rounds: 1 - 2^-30 is off by u. U is
// near 2^-3, below it, where u is a unit in the last place.
TEST(AdamStepBorders, OfACorrectionThatRounds) {
  Settings s = kDyadic;
  s.beta1 = 0x1p-30;
  s.eps = 0x1p-20;
  Moments moments;
  const auto set =
      adam_step(one(binary32, 0), one(binary32, 1), moments, s.hyper(), WeightDecay::coupled, {});
  const Interval bias1 = widened(Rational(1) - two_to(-30), two_to(-24), 0);
  const Interval denominator = Rational(1) + two_to(-20);
  const Interval exact = Interval(two_to(-3)) / bias1 * moments.first / denominator;
  expect_ends(set, exact, two_to(-148) * 32);  // √bc2 = 1/32
}

// 0^t is 0 in every format and every order.
TEST(AdamStepBorders, OfABetaOfZeroIsOnePattern) {
  const Settings s{.lr = 0x1p-3, .eps = 0x1p-60};
  Moments moments;
  moments.step = 1;
  EXPECT_EQ(number(binary32, -0x1p-3).bits,
            step(binary32, 0, 1, s, {}, WeightDecay::coupled, moments)->single());
}

// beta1^20 as a product is off by 19 roundings, and bc1 by 50 times that. m and v are 1.
TEST(AdamStepBorders, OfAPowerOfManyFactors) {
  Settings s = kDyadic;
  s.beta1 = 1 - 0x1p-10;
  s.beta2 = 0;
  s.eps = 0x1p-20;
  Moments moments;
  moments.first = Rational(1);
  moments.step = 19;
  const Rational u = two_to(-24), one_(1);
  Rational power(1), growth(1);
  for (int i = 0; i < 20; ++i) power *= rational(s.beta1);
  for (int i = 0; i < 19; ++i) growth *= one_ + u;
  const Interval bias1 = widened(widened(one_ - power, 0, power * (growth - 1)), u, 0);
  const Interval exact = Interval(two_to(-3)) / bias1 / Interval(one_ + two_to(-20));
  expect_ends(step(binary32, 0, 1, s, {}, WeightDecay::coupled, moments), exact,
              two_to(-148) / bias1.low);
}

// bc1 = 257/2048 is kept as it is or stored in bfloat16, as 1/8.
TEST(AdamStepBorders, OfACorrectionThatIsStored) {
  Settings s = kDyadic;
  s.beta1 = 1 - 257.0 / 2048;
  s.eps = 0x1p-20;
  Moments moments;
  const auto set =
      adam_step(one(bfloat16, 0), one(bfloat16, 1), moments, s.hyper(), WeightDecay::coupled, {});
  const Interval bias1(two_to(-3), Rational(257) / 2048);
  const Interval exact =
      Interval(two_to(-3)) / bias1 * moments.first / Interval(Rational(1) + two_to(-20));
  expect_ends(set, exact, 0);
}

// ---- what is exact is one pattern, and what may round is not

// Powers of two in binary16, whose range is short: no form of the update leaves it.
TEST(AdamStepBorders, OfPowersOfTwoIsOnePattern) {
  const auto moved = [](double g, double lr, int bias1, int bias2) {
    Settings s{.lr = lr, .beta1 = 1 - std::ldexp(1.0, bias1), .beta2 = 1 - std::ldexp(1.0, bias2)};
    return step(binary16, 0, g, s);
  };
  // lr·bc1 would underflow, and lr + √bc2 would round.
  EXPECT_EQ(number(binary16, -0x1p-19).bits, moved(2, 0x1p-19, -6, -10)->single());
  // √v·lr/bc1 would overflow.
  EXPECT_EQ(number(binary16, -8).bits, moved(0x1p7, 8, -6, -4)->single());
  // m·bc1 and m·√v would underflow.
  EXPECT_EQ(number(binary16, -1).bits, moved(0x1p-9, 1, -9, -6)->single());
  // 1/bc1 and 1/eps are 2^15, the largest power of two.
  Settings s{.lr = 0x1p-12, .beta1 = 1 - 0x1p-15, .beta2 = 0.75, .eps = 0x1p-15};
  EXPECT_EQ(0u, step(binary16, 0, 0, s)->single());
}

// Division and the product with a rounded reciprocal differ: 41·RN(1/41) is 1 - 2^-24.
TEST(AdamStepBorders, OfReciprocalsThatRound) {
  const float r = 1 / 41.0f;
  ASSERT_EQ(1 - 0x1p-24f, 41 * r);
  // Of the denominator, √v = 41: U = lr·41·RN(1/41).
  const auto of_denominator = step(binary32, 0.125, 41, kDyadic);
  EXPECT_TRUE(of_denominator->contains(0));
  EXPECT_TRUE(of_denominator->contains(number(binary32, 0x1p-27).bits));
  // Of the first correction, bc1 = 41/64: m/bc1 = 41/64·RN(64/41), lr·m/bc1 rounds down.
  Settings s = kDyadic;
  s.beta1 = 1 - 41.0 / 64;
  s.lr = 41.0 / 512;
  const auto of_correction = step(binary32, s.lr, 1, s);
  EXPECT_TRUE(of_correction->contains(0));
  EXPECT_TRUE(of_correction->contains(number(binary32, 0x1p-27).bits));
}

// Beside √v = 1, 3/2·2^-54 is less than half a unit of binary64 above and more than half of one
// below; 2^-40 is absorbed in binary32 only.
TEST(AdamStepBorders, OfAnEpsilonThatIsAbsorbed) {
  Settings s = kDyadic;
  s.eps = 0x1.8p-54;
  EXPECT_EQ(number(binary32, -0.125).bits, step(binary32, 0, 1, s)->single());
  s.eps = 0x1p-40;
  EXPECT_FALSE(step(binary32, 0, 1, s)->is_single());
}

// A denominator of eps = 1 - 2^-24 times the step size: the largest finite number is taken for what
// a rounding more makes of it.
TEST(AdamStepBorders, OfADenominatorOverTheStepSize) {
  Settings s{.lr = 0x1p-125, .beta1 = 0.875, .beta2 = 0.75, .eps = 0x1.fffffep5};
  const auto set = [&] { return step(binary32, 1, 0, s); };
  EXPECT_FALSE(set().has_value());  // 2^6·(1 - 2^-24)/2^-122
  s.eps /= 2;
  EXPECT_TRUE(set().has_value());
}

// v/bc2 = g² = 2^-126, the smallest normal number, does not underflow.
TEST(AdamStepBorders, OfASquareThatIsJustNormal) {
  Settings s = kDyadic;
  s.eps = 0x1p-80;
  const Interval denominator = widened(two_to(-63) + two_to(-80), 0, two_to(-149) * 3);
  // m is 2^-66, lr/bc1 is 1 and √bc2 is 1/32.
  expect_ends(step(binary32, 0, 0x1p-63, s), Interval(two_to(-66)) / denominator,
              two_to(-148) * 32 / denominator.low);
}

// Over a step size of 2^100 an epsilon of 3·2^-28 is subnormal, and so is its sum with √v = 0: each
// term and the sum are off by eta at most.
TEST(AdamStepBorders, OfADenominatorThatIsSubnormalOverTheStepSize) {
  const Settings s{.lr = 0x1p100, .beta1 = 0.5, .beta2 = 0.5, .eps = 0x3p-28};
  Policy policy;
  policy.adam_corrects_bias = false;
  Moments moments;
  moments.first = Rational(2);  // halved
  moments.step = 1;
  const Rational rate = two_to(100);
  const Interval denominator = widened(rational(s.eps), 0, two_to(-149) * 3 * rate);
  expect_ends(step(binary32, 0, 0, s, policy, WeightDecay::coupled, moments),
              Interval(rate) / denominator, two_to(-148) * rate / denominator.low);
}

TEST(AdamStepBorders, OfARateOfZero) {
  Settings s = kDyadic;
  s.lr = 0;
  EXPECT_EQ(number(binary32, 3).bits, step(binary32, 3, 1, s)->single());
  s.decay = 0.5;
  EXPECT_EQ(number(binary32, 3).bits,
            step(binary32, 3, 1, s, {}, WeightDecay::decoupled)->single());
  // 0/0.
  s.eps = 0;
  EXPECT_FALSE(step(binary32, 0, 0, s).has_value());
}

// ---- decay

// lambda·p is p, the largest number, and finite.
TEST(AdamStepBorders, OfADecayOfTheLargestNumber) {
  const Machine w(binary32);
  Settings s = kDyadic;
  s.decay = 1;
  const auto set = step(binary32, kLargest, 1, s, {}, WeightDecay::decoupled);
  ASSERT_TRUE(set.has_value());
  EXPECT_TRUE(set->contains(w.bits(w.multiply(kLargest, 0.875))));  // U is far below a unit of it
}

TEST(AdamStepBorders, OfCoupledDecayOnlyTheGradientIsMoved) {
  Settings s = kDyadic;
  s.decay = 0.5;
  const auto set = step(binary32, 1, 1, s);
  EXPECT_TRUE(set->contains(number(binary32, 0.875).bits));
  EXPECT_FALSE(set->contains(number(binary32, 0.8125).bits));
}

// u + lambda·p = 1 + (1 - 2^-24) is rounded to 2, and p - lr·2 is -2^-26 instead of -2^-27.
TEST(AdamStepBorders, OfADecayInsideOfTheUpdateThatRounds) {
  Settings s = kDyadic;
  s.decay = 4;
  const auto set = step(binary32, 0.25 - 0x1p-26, 1, s, {}, WeightDecay::decoupled);
  EXPECT_TRUE(set->contains(number(binary32, -0x1p-27).bits));
  EXPECT_TRUE(set->contains(number(binary32, -0x1p-26).bits));
}

// Nothing but the decay moves where g = 0: lr·lambda = 1/2, and neither lambda·p nor its product
// with lr rounds.
TEST(AdamStepBorders, OfAnExactDecayIsOnePattern) {
  const Settings s{.lr = 0x1p29, .beta1 = 0.875, .beta2 = 0.75, .eps = 0x1p20, .decay = 0x1p-30};
  EXPECT_EQ(number(binary32, 0x1p100).bits,
            step(binary32, 0x1p101, 0, s, {}, WeightDecay::decoupled)->single());
}

// lambda·p = 2^-130·(1 + 2^-23) is rounded to 2^-130, and lr takes that back to 2^-20.
TEST(AdamStepBorders, OfADecayThatUnderflows) {
  const Settings s{.lr = 0x1p110, .beta1 = 0.875, .beta2 = 0.75, .eps = 0x1p20, .decay = 0x1p-110};
  const auto set = step(binary32, 0x1p-20 + 0x1p-43, 0, s, {}, WeightDecay::decoupled);
  EXPECT_TRUE(set->contains(0));
  EXPECT_TRUE(set->contains(number(binary32, 0x1p-43).bits));
}

// p - (U + lr·lambda·p), and p - lr·(u + lambda·p): lr·lambda·p is exact, and the sum and what it
// is made to are off by two roundings. p is near that, so that the ends are seen to the square of
// u.
TEST(AdamStepBorders, OfADecayInsideOfTheUpdate) {
  Settings s = kDyadic;
  s.decay = 1;
  s.eps = 0;
  const double p = 0x1.249248p-3;  // 1/7, and U = 1/8 is what lr·p = p/8 lacks of it
  const Rational u = two_to(-24), eta = two_to(-149), twice = u * 2 + u * u;
  const auto set = step(binary32, p, 1, s, {}, WeightDecay::decoupled);
  const Interval all = widened(rational(p) / 8 + two_to(-3), twice, eta * 2);
  EXPECT_EQ(round_to(rational(p) - all.high, binary32), set->lowest());
  EXPECT_EQ(round_to(rational(p) - all.low, binary32), set->highest());
}

// lr·lambda·p is far below eta: its last rounding, and those of the sum and of what it is made to,
// lose eta each. lambda·p is p.
TEST(AdamStepBorders, OfADecayOfTheSmallestNumbers) {
  const double eta = 0x1p-149;
  const Settings s{.lr = 0x1p-137, .beta1 = 0.5, .beta2 = 1 - 0x1p-10, .decay = 1};
  const auto set = step(binary32, 0x1p-136, 0x1p-10, s, {}, WeightDecay::decoupled);
  EXPECT_EQ(number(binary32, 0x1p-137 - 3 * eta).bits, set->lowest());
  EXPECT_EQ(number(binary32, 0x1p-137 + 3 * eta).bits, set->highest());
}

// A subnormal parameter may enter as 0, at either end of its set; a normal one may not.
TEST(AdamStepBorders, OfAFlushedParameter) {
  Policy flush;
  flush.may_flush = true;
  const Settings s{.lr = 0x1p-120, .beta1 = 0.875, .beta2 = 1 - 0x1p-10};
  const double g = 0x1p5, tiny = 0x1p-130;
  EXPECT_THAT(numbers(*step(binary32, tiny, g, s, flush)),
              UnorderedElementsAre(-0x1p-120, -0x1p-120 + tiny));
  EXPECT_THAT(numbers(*step(binary32, 0x1p-125, g, s, flush)),
              UnorderedElementsAre(-0x1p-120 + 0x1p-125));
  for (const bool is_lowest : {true, false}) {
    const double sign = is_lowest ? 1 : -1;
    Moments moments;
    const Admissible p = Admissible::between(binary32, number(binary32, sign * tiny).bits,
                                             number(binary32, sign * 0x1p-120).bits);
    const auto set =
        adam_step(p, one(binary32, sign * g), moments, s.hyper(), WeightDecay::coupled, flush);
    EXPECT_TRUE(set->contains(number(binary32, sign * -0x1p-120).bits)) << set->to_string();
  }
}

}  // namespace
}  // namespace ampcheck::reference
