// The norms that a clip goes by.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/clipping_support_test.hpp"
#include "reference/error_bounds.hpp"

namespace ampcheck::reference {
namespace {

using testing::ElementsAre;

TEST(NormOf, HoldsEveryEvaluation) {
  std::mt19937_64 random(1);
  const Machine m(binary32);
  double worst = 0;
  for (int i = 0; i < 300; ++i) {
    std::vector<double> values;
    // From squares deep in the subnormal range to large ones.
    const int lowest = static_cast<int>(random() % 130) - 80;
    for (std::size_t n = 1 + random() % 12; n != 0; --n)
      values.push_back(m.narrow(random_value(random, lowest, 6)));
    const Norm set = norm({tensor(binary32, values)});
    for (int k = 0; k < 20; ++k) {
      const double x = evaluated(m, values, random);
      ASSERT_TRUE(set.computed.contains(m.bits(x))) << x << " not in " << set.computed.to_string();
      if (set.computed.is_interval()) {
        const Rational at = set.computed.position(m.bits(x));
        const Rational off = (at * 2 - 1).abs();  // from the middle
        worst = std::max(worst, as_double({&binary64, round_to(off, binary64)}));
      }
    }
    EXPECT_TRUE(set.computed.contains(round_to(*set.exact, binary32)));
  }
  EXPECT_GE(worst, 0.1);
}

TEST(NormOf, IsOnePatternWhereNothingRounds) {
  EXPECT_EQ(f32(5).bits, norm({tensor(binary32, {3, 4})}).computed.single());
  EXPECT_EQ(f32(32).bits,
            norm({tensor(binary32, {16, 16}), tensor(binary32, {16, -16})}).computed.single());
  EXPECT_TRUE(norm({}).computed.contains(0));
  EXPECT_TRUE(norm({tensor(binary32, {}), tensor(binary16, {})}).computed.is_single());
  EXPECT_EQ(f32(5).bits, norm({tensor(binary32, {}), tensor(binary32, {3, 4})}).computed.single());
}

// 4 × 1e-23 gives 0 and 3e-23 gives 3.74e-23, both by underflow of the squares.
TEST(NormOf, HoldsWhatUnderflowLeaves) {
  const Machine m(binary32);
  const Norm lost = norm({tensor(binary32, {1e-23, 1e-23, 1e-23, 1e-23})});
  EXPECT_TRUE(lost.computed.contains(0));
  const double x = m.narrow(3e-23), computed = m.root(m.multiply(x, x));
  EXPECT_NEAR(3.74e-23, computed, 0.01e-23);
  const Norm kept = norm({tensor(binary32, {x})});
  EXPECT_TRUE(kept.computed.contains(m.bits(computed)));
  EXPECT_FALSE(kept.computed.contains(m.bits(1e-22)));
}

TEST(NormOf, MayOverflow) {
  const Norm huge = norm({tensor(binary32, {1e20, 1e20, 1e20, 1e20})});
  EXPECT_TRUE(huge.computed.contains(binary32.infinity()));
  EXPECT_FALSE(huge.computed.may_be_finite());
  EXPECT_FALSE(norm({tensor(binary32, {9e18, 9e18, 9e18, 9e18})}).computed.may_be_non_finite());
  EXPECT_FALSE(norm({tensor(binary64, {1e20, 1e20})}).computed.may_be_non_finite());
}

Policy of_tensor_norms(bool narrow) {
  Policy policy;
  policy.norm_of_tensor_norms = true;
  policy.narrow_norm = narrow;
  return policy;
}

// torch: each tensor's norm summed in binary32 and rounded to its own format, then the norm of
// those.
TEST(NormOf, TensorNormsHoldsEveryEvaluation) {
  std::mt19937_64 random(2);
  const Machine wide(binary32);
  for (const NumberFormat* f : {&binary16, &bfloat16, &binary32}) {
    const Machine narrow(*f);
    for (int i = 0; i < 200; ++i) {
      std::vector<std::vector<double>> values(1 + random() % 4);
      std::vector<GradientSets> sets;
      for (std::vector<double>& t : values) {
        for (std::size_t n = random() % 5; n != 0; --n)
          t.push_back(narrow.narrow(random_value(random, -10, 8)));
        sets.push_back(tensor(*f, t));
      }
      const Norm set = norm(sets, of_tensor_norms(true));
      for (int k = 0; k < 10; ++k) {
        std::vector<double> partial;
        for (const std::vector<double>& t : values)
          partial.push_back(t.empty() ? 0 : narrow.narrow(evaluated(wide, t, random)));
        const double x = narrow.narrow(evaluated(wide, partial, random));
        ASSERT_TRUE(set.computed.contains(narrow.bits(x))) << set.computed.to_string();
      }
    }
  }
}

// √(RN(√55296)² + 32²): in binary32 one unit less than where the second level is binary64, as in a
// loop of Python over norms that are numbers of binary32.
TEST(NormOf, TensorNormsMayBeAddedInBinary64) {
  const Norm n =
      norm({tensor(binary32, {96, 192, 96}), tensor(binary32, {32})}, of_tensor_norms(false));
  EXPECT_THAT(n.computed.patterns(), ElementsAre(0x436d517f, 0x436d5180));
  ASSERT_TRUE(n.wide);
  const double first = static_cast<float>(std::sqrt(55296.0));
  EXPECT_TRUE(n.wide->contains(number(binary64, std::sqrt(first * first + 1024)).bits));
  EXPECT_TRUE(n.wide->contains(number(binary64, std::sqrt(55296.0 + 1024)).bits));
}

TEST(NormOf, TensorNormsOfBinary16OverflowBeyond65504) {
  const Norm n =
      norm({tensor(binary16, {60000, 60000}), tensor(binary16, {1})}, of_tensor_norms(true));
  EXPECT_THAT(n.computed.patterns(), ElementsAre(binary16.infinity()));
  EXPECT_EQ(&binary16, &n.computed.format());
}

// binary16 and bfloat16 promote to binary32, in which nothing overflows here.
TEST(NormOf, TensorNormsOfSeveralFormatsArePromoted) {
  const Norm n = norm({tensor(binary16, {3}), tensor(bfloat16, {0x1p20})}, of_tensor_norms(true));
  EXPECT_EQ(&binary32, &n.computed.format());
  EXPECT_TRUE(n.computed.contains(f32(0x1p20).bits));
  EXPECT_FALSE(n.computed.may_be_non_finite());
  EXPECT_EQ(&float8_e5m2,
            &norm({tensor(float8_e5m2, {3})}, of_tensor_norms(true)).computed.format());
  EXPECT_EQ(&binary32, &norm({tensor(bfloat16, {3}), tensor(binary32, {4})}, of_tensor_norms(true))
                            .computed.format());
  // 240 and 448 are their largest numbers, and the one with the lesser has more small ones.
  EXPECT_EQ(&binary32,
            &norm({tensor(float8_e4m3fnuz, {3}), tensor(float8_e4m3fn, {3})}, of_tensor_norms(true))
                 .computed.format());
}

// A tensor of binary32 beside one of binary64 is summed in binary32.
TEST(NormOf, SeveralFormatsAccumulateEachInTheirOwn) {
  std::mt19937_64 random(3);
  const Machine m(binary32);
  for (const bool tensor_norms : {false, true}) {
    for (int i = 0; i < 200; ++i) {
      std::vector<double> values;
      for (int n = 0; n < 9; ++n) values.push_back(m.narrow(random_value(random, -2, 3)));
      const Policy policy = tensor_norms ? of_tensor_norms(false) : Policy();
      const Norm set = norm({tensor(binary32, values), tensor(binary64, {3})}, policy);
      const double x = evaluated(m, values, random);
      double squares = 0;
      for (const double y : values) squares = m.add(squares, m.multiply(y, y));
      const double total = std::sqrt((tensor_norms ? x * x : squares) + 9);
      ASSERT_TRUE(set.computed.contains(number(binary64, total).bits)) << set.computed.to_string();
    }
  }
}

// hypot(η, η) = 1.41 η is η once more, and so is every hypot after it.
TEST(NormOf, RescaledHoldsHypotsOfSubnormals) {
  Policy rescaled;
  rescaled.norm_is_rescaled = true;
  const double tiny = 0x1p-149;
  const Norm set = norm({tensor(binary32, std::vector<double>(9, tiny))}, rescaled);
  float chain = 0;
  for (int i = 0; i < 9; ++i) chain = hypotf(chain, static_cast<float>(tiny));
  EXPECT_EQ(static_cast<float>(tiny), chain);
  EXPECT_TRUE(set.computed.contains(f32(tiny).bits)) << set.computed.to_string();
  EXPECT_TRUE(set.computed.contains(f32(3 * tiny).bits));
}

// Beyond 2^126 RN(1/m) is subnormal, off by up to 4u, and may be flushed.
TEST(NormOf, RescaledHoldsProductsWithSubnormalReciprocals) {
  Policy rescaled;
  rescaled.norm_is_rescaled = true;
  const Machine m(binary32);
  std::mt19937_64 random(5);
  double most = 0;
  for (int i = 0; i < 2000; ++i) {
    const double x = m.narrow(std::fabs(random_value(random, 126, 2)));
    const double y = m.multiply(x, m.divide(1, x));
    const double computed = m.multiply(x, m.root(m.multiply(y, y)));
    const Admissible set = norm({tensor(binary32, {x})}, rescaled).computed;
    ASSERT_TRUE(set.contains(m.bits(computed))) << x << " " << computed << set.to_string();
    most = std::max(most, std::fabs(computed / x - 1));
  }
  EXPECT_GT(most, 4 * 0x1p-24);
  rescaled.may_flush = true;
  EXPECT_TRUE(norm({tensor(binary32, {0x1.8p126})}, rescaled).computed.contains(0));
  EXPECT_FALSE(norm({tensor(binary32, {0x1p125})}, rescaled).computed.contains(0));
  // A norm of 0, also where its smallest numbers would be normal ones of the next level.
  EXPECT_TRUE(
      norm({tensor(binary32, {0x1.8p126}), tensor(binary64, {0})}, rescaled).computed.contains(0));
}

// Nine subnormal elements whose norm is normal.
TEST(NormOf, RescaledMayFlushItsElements) {
  Policy rescaled;
  rescaled.norm_is_rescaled = true;
  const std::vector<GradientSets> sets{tensor(binary32, std::vector<double>(9, 0x1.8p-127))};
  EXPECT_FALSE(norm(sets, rescaled).computed.contains(0));
  rescaled.may_flush = true;
  EXPECT_TRUE(norm(sets, rescaled).computed.contains(0));
}

// Tensor norms of bfloat16 are rounded to it, also where they come of rescaled elements.
TEST(NormOf, RescaledHoldsNarrowedTensorNorms) {
  Policy rescaled;
  rescaled.norm_is_rescaled = rescaled.narrow_norm = true;
  const Machine m(bfloat16);
  int differ = 0;
  for (int i = 1; i < 64; ++i) {
    const double exact = std::hypot(1, i / 64.0), whole = std::sqrt(3) * exact;
    const double narrowed = m.narrow(std::sqrt(3) * m.narrow(exact));
    const GradientSets pair = tensor(bfloat16, {1, i / 64.0});
    ASSERT_TRUE(norm({pair, pair, pair}, rescaled).computed.contains(m.bits(narrowed)));
    if (narrowed != m.narrow(whole)) ++differ;
  }
  EXPECT_GT(differ, 9);
}

// The header's k = max(n + 8, 5(n - 1) + 4), n + 16 where the reciprocal of the largest is
// subnormal, and eta for each further hypot of subnormal numbers. A tensor's norm may be taken on
// its own, and then of that the norm of one element.
TEST(NormOf, RescaledReachesAsFarAsItsBoundSays) {
  Policy rescaled;
  rescaled.norm_is_rescaled = true;
  const NumberFormat& f = binary32;
  struct Ends {
    Rational low, high;
  };
  const auto once = [&](const Ends& squares, std::size_t n, const Rational& largest) {
    const Rational eta = Rational::power_of_two(-149), one(1);
    const std::size_t divided = n + (largest > Rational::power_of_two(126) ? 16 : 8);
    const Rational relative = growth_bound(std::max(divided, 5 * (n - 1) + 4), f);
    const Rational low = squares.low * (one - relative), high = squares.high * (one + relative);
    Rational absolute;
    if (low < Rational::power_of_two(-252))
      absolute = eta * static_cast<std::int64_t>(n - 1) * (one + growth_bound(3 * n, f));
    const Exact root = Exact::square_root(low) - Exact(absolute);
    return Ends{root.sign() < 0 ? Rational(0) : value_of(round_to(root, f), f),
                value_of(round_to(Exact::square_root(high) + Exact(absolute), f), f)};
  };
  const auto expect_ends = [&](const std::vector<double>& values) {
    Rational squares, largest;
    for (const double x : values) {
      squares += rational(x) * rational(x);
      largest = max(largest, rational(x).abs());
    }
    const Ends inner = once({squares, squares}, values.size(), largest);
    const Ends outer = once({inner.low * inner.low, inner.high * inner.high}, 1, inner.high);
    const Norm set = norm({tensor(f, values)}, rescaled);
    EXPECT_EQ(round_to(outer.low, f), set.computed.lowest()) << values.size() << " " << values[0];
    EXPECT_EQ(round_to(outer.high, f), set.computed.highest()) << values.size() << " " << values[0];
  };
  std::mt19937_64 random(4);
  // Of 5000 elements the growth of the etas comes to more than one of them. From 2^-126 on the norm
  // is normal.
  for (const std::size_t n : {1, 2, 3, 9, 20, 5000})
    for (const int lowest : {-148, -126, -1, 124}) {
      if (lowest == 124 && n > 3) continue;
      std::vector<double> values;
      for (std::size_t i = 0; i < n; ++i)
        values.push_back(Machine(f).narrow(random_value(random, lowest, 3)));
      expect_ends(values);
    }
  expect_ends({0x1p126});  // its reciprocal is the smallest normal number
  EXPECT_EQ(0u, norm({tensor(f, {0, 0})}, rescaled).computed.single());
}

TEST(NormOf, RescaledKeepsNormalElements) {
  Policy rescaled;
  rescaled.norm_is_rescaled = rescaled.may_flush = true;
  EXPECT_FALSE(norm({tensor(binary32, {0x1p-126, 0x1p-126})}, rescaled).computed.contains(0));
}

TEST(NormOf, OfAnElementOfEitherSignMayBeZero) {
  const Norm n = norm({{Admissible::between(binary32, f32(-1).bits, f32(2).bits)}});
  EXPECT_EQ(0u, n.computed.lowest());
  EXPECT_EQ(f32(2).bits, n.computed.highest());
}

TEST(NormOf, SeveralFormatsOfExactSquaresGiveOnePattern) {
  EXPECT_EQ(number(binary64, 5).bits,
            norm({tensor(binary32, {3}), tensor(binary64, {4})}).computed.single());
}

// √(60480² + 25200²) is 65520, which binary16 rounds to inf.
TEST(NormOf, TensorNormsMayOverflow) {
  const GradientSets sets{
      Admissible::between(binary16, number(binary16, 60416).bits, number(binary16, 60480).bits),
      Admissible::of(number(binary16, 25200))};
  const Norm n = norm({sets, tensor(binary16, {1})}, of_tensor_norms(true));
  EXPECT_TRUE(n.computed.contains(binary16.infinity()));
  // √(60416² + 25200²) is 65460.9.
  EXPECT_EQ(number(binary16, 65472).bits, n.computed.lowest());
  // Promoted to binary32 an infinite norm of the first stays one, and the exact norm is not 65472.
  const Admissible promoted = norm({sets, tensor(bfloat16, {1})}, of_tensor_norms(true)).computed;
  const Exact exact = Exact::square_root(60416LL * 60416 + 25200LL * 25200 + 1);
  EXPECT_EQ(round_to(exact, binary32), promoted.lowest());
  EXPECT_EQ(binary32.infinity(), promoted.highest());
  EXPECT_TRUE(norm({tensor(binary16, {1}), sets}, of_tensor_norms(true)).computed.contains(0x7c00));
}

// Of float8_e4m3fn, in which NaN stands for what is beyond 464.
TEST(NormOf, OfAnIntervalWithoutInfinity) {
  const auto beside = [](double last, double low, double high) {
    const NumberFormat& f = float8_e4m3fn;
    const GradientSets one{Admissible::between(f, number(f, low).bits, number(f, high).bits)};
    Policy narrow;
    narrow.narrow_norm = true;
    return norm({one, tensor(f, {last})}, narrow).computed.to_string();
  };
  EXPECT_EQ("[4a = 0x1.4p+2 … 4b = 0x1.6p+2]", beside(4, 3, 4));              // 5, 5.66
  EXPECT_EQ("[77 = 0x1.ep+7 … 7e = 0x1.cp+8] or NaN", beside(224, 64, 448));  // 233, 501
  EXPECT_EQ("NaN", beside(448, 416, 448));                                    // 611, 634
}

// The squares of the tensor of binary32 underflow there; over its largest element they do not.
TEST(NormOf, RescaledOfSeveralFormatsSumsNoSquares) {
  Policy policy;
  const std::vector<GradientSets> sets{tensor(binary32, {0x1p-100}), tensor(binary64, {0x1p-101})};
  EXPECT_TRUE(norm(sets, policy).computed.contains(number(binary64, 0x1p-101).bits));
  policy.norm_is_rescaled = true;
  EXPECT_FALSE(norm(sets, policy).computed.contains(number(binary64, 0x1p-101).bits));
}

TEST(NormOf, MayFlushExactSquares) {
  Policy flushes;
  flushes.may_flush = true;
  const std::vector<GradientSets> sets{tensor(binary32, {0x1p-70})};
  EXPECT_TRUE(norm(sets).computed.is_single());
  EXPECT_TRUE(norm(sets, flushes).computed.contains(0));
  EXPECT_TRUE(norm({tensor(binary32, {3, 4})}, flushes).computed.is_single());
}

}  // namespace
}  // namespace ampcheck::reference
