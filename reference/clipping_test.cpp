#include "reference/clipping.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "reference/clipping_support_test.hpp"

namespace ampcheck::reference {
namespace {

// Every element of one tensor after a clip.
std::vector<Admissible> clipped(const std::vector<GradientSets>& tensors, double limit,
                                const Policy& policy) {
  const Norm n = norm(tensors, policy);
  std::vector<Admissible> result;
  for (const GradientSets& t : tensors)
    for (const Admissible& element : t)
      result.push_back(clipped_by_norm(element, n, number(binary64, limit), policy));
  return result;
}

// torch.nn.utils.clip_grad_norm_: max/(norm + 1e-6) with a scalar above, which is a reciprocal
// times max.
Policy torch_policy() { return formula(ClipFormula::reciprocal_product, 1e-6); }

// ---- clips by norm

// 1e-20 over 4e18 is subnormal in binary32; flushed, it leaves nothing of an element of 4e18, whose
// clipped value is normal.
TEST(ClippedByNorm, MayFlushTheFactor) {
  Policy policy = formula(ClipFormula::quotient);
  const std::vector<GradientSets> sets{tensor(binary32, {4e18, 1e18})};
  EXPECT_FALSE(clipped(sets, 1e-20, policy)[0].contains(0));
  policy.may_flush = true;
  EXPECT_TRUE(clipped(sets, 1e-20, policy)[0].contains(0));
  EXPECT_FALSE(clipped(sets, 1, policy)[0].contains(0));
}

// Run with torch.9 of the project.
TEST(ClippedByNorm, HoldsTheValuesOfTorch) {
  struct Golden {
    double limit, a, b;
  };
  const double a = static_cast<float>(0.5999999046325684),
               b = static_cast<float>(0.7999998331069946);
  for (const auto& [limit, x, y] :
       {Golden{1, a, b}, Golden{5, 2.9999992847442627, 3.999999046325684}, Golden{10, 3, 4}}) {
    const std::vector<Admissible> set = clipped({tensor(binary32, {3, 4})}, limit, torch_policy());
    EXPECT_TRUE(set[0].contains(f32(x).bits)) << limit << " " << set[0].to_string();
    EXPECT_TRUE(set[1].contains(f32(y).bits)) << limit << " " << set[1].to_string();
  }
  // The exact factor without the epsilon is something else.
  EXPECT_FALSE(clipped({tensor(binary32, {3, 4})}, 1, torch_policy())[0].contains(f32(0.6).bits));
  Policy narrow = torch_policy();
  narrow.narrow_norm = narrow.norm_of_tensor_norms = true;
  const std::vector<Admissible> set = clipped({tensor(bfloat16, {3, 4})}, 1, narrow);
  EXPECT_TRUE(set[0].contains(number(bfloat16, 0.6015625).bits)) << set[0].to_string();
  EXPECT_TRUE(set[1].contains(number(bfloat16, 0.80078125).bits)) << set[1].to_string();
}

TEST(ClippedByNorm, HoldsTheExactValueRoundedOnce) {
  // exact 0x1.c5741ep-1, all seven expressions give 0x1.c57420p-1.
  const double limit = 0x1.79e0c4p+0;
  const std::vector<GradientSets> sets{tensor(binary32, {5697, 7596})};
  EXPECT_TRUE(norm(sets).computed.contains(f32(9495).bits));
  for (const ClipFormula f :
       {ClipFormula::quotient, ClipFormula::reciprocal_product, ClipFormula::exact})
    EXPECT_TRUE(clipped(sets, limit, formula(f))[0].contains(f32(0x1.c5741ep-1).bits));
  EXPECT_TRUE(
      clipped(sets, limit, formula(ClipFormula::quotient))[0].contains(f32(0x1.c57420p-1).bits));
}

// √(a² + b²) is one pattern, rounded, so that the exact quotient is something else than that of the
// pattern.
TEST(ClippedByNorm, HoldsTheExactQuotientOfAnIrrationalNorm) {
  for (int a = 1; a < 40; ++a)
    for (int b = 1; b < 40; ++b) {
      const std::vector<GradientSets> sets{tensor(binary32, {1.0 * a, 1.0 * b})};
      const Exact root = Exact::square_root(a * a + b * b);
      ASSERT_TRUE(norm(sets).computed.is_single());
      for (const ClipFormula f : {ClipFormula::quotient, ClipFormula::exact})
        ASSERT_TRUE(clipped(sets, 1, formula(f))[0].contains(round_to(Exact(a) / root, binary32)));
    }
}

double factor(const Machine& m, ClipFormula f, double n, double limit, double epsilon) {
  const double sum = m.add(n, m.narrow(epsilon));
  switch (f) {
    case ClipFormula::quotient:
      return std::min(1.0, m.divide(limit, sum));
    case ClipFormula::reciprocal_product:
      return std::min(1.0, m.multiply(m.divide(1, sum), limit));
    case ClipFormula::limit_minimum:
      return m.multiply(limit, std::min(m.divide(1, sum), m.divide(1, limit)));
    case ClipFormula::exact:
      break;
  }
  return 1;
}

// Limits far below, near and above the norm, so near that the enclosure holds them.
TEST(ClippedByNorm, HoldsEveryEvaluationOfEveryFormula) {
  std::mt19937_64 random(5);
  const Machine m(binary32);
  for (const ClipFormula f :
       {ClipFormula::quotient, ClipFormula::reciprocal_product, ClipFormula::limit_minimum}) {
    for (int i = 0; i < 1500; ++i) {
      std::vector<double> values;
      const int lowest = static_cast<int>(random() % 100) - 82;
      for (std::size_t n = 1 + random() % 6; n != 0; --n)
        values.push_back(m.narrow(random_value(random, lowest, 3)));
      const double computed = evaluated(m, values, random);
      if (computed == 0) continue;
      const double steps = static_cast<double>(random() % 9) - 4;
      const double limit = m.narrow(
          computed * (random() % 3 == 0 ? random_value(random, -3, 5) : 1 + steps * 0x1p-24));
      if (limit <= 0 || m.divide(1, limit) == std::numeric_limits<double>::infinity()) continue;
      const double epsilon = f == ClipFormula::limit_minimum || random() % 2 ? 0 : 1e-6;
      const double c = factor(m, f, computed, limit, epsilon);
      const std::vector<Admissible> sets =
          clipped({tensor(binary32, values)}, limit, formula(f, epsilon));
      for (std::size_t k = 0; k < values.size(); ++k)
        ASSERT_TRUE(sets[k].contains(m.bits(m.multiply(values[k], c))))
            << values[k] << "·" << c << " limit " << limit << " formula " << static_cast<int>(f)
            << " not in " << sets[k].to_string();
      // One in exact numbers.
      const Exact exact = *norm({tensor(binary32, values)}).exact + Exact(rational(epsilon));
      if (exact > Exact(rational(limit))) {
        ASSERT_TRUE(sets[0].contains(
            round_to(Exact(rational(values[0]) * rational(limit)) / exact, binary32)));
      }
      // One that asks first.
      if (computed > limit) continue;
      const std::vector<Admissible> kept =
          clipped({tensor(binary32, values)}, limit, formula(f, 0, false));
      for (std::size_t k = 0; k < values.size(); ++k)
        ASSERT_TRUE(kept[k].contains(m.bits(values[k]))) << kept[k].to_string();
    }
  }
}

TEST(ClippedByNorm, IsNotWiderThanItsFormula) {
  // What is left open is one format or the other: a norm that is four units in the last place off
  // is outside.
  std::mt19937_64 random(6);
  const Machine m(binary32);
  for (int i = 0; i < 200; ++i) {
    const double limit = 1 + static_cast<double>(random() % 1000) / 1024;
    const double g = 2304;  // (2304, 3072) has the norm 3840
    const Admissible set =
        clipped({tensor(binary32, {g, 3072})}, limit, formula(ClipFormula::reciprocal_product))[0];
    EXPECT_LE(set.patterns().size(), 4u);
    for (const double norm : {3840 - 0x1p-10, 3840 + 0x1p-10})
      EXPECT_FALSE(set.contains(
          m.bits(m.multiply(g, factor(m, ClipFormula::reciprocal_product, norm, limit, 0)))));
  }
}

// golden/innocent/A3: M·min(1/N, 1/M) is 3f7fffff for these limits, and not 1.
TEST(ClippedByNorm, UnneededMayMultiplyByAlmostOne) {
  const Machine m(binary32);
  for (const double limit : {41.0, 47.0, 55.0, 61.0, 82.0}) {
    const double c = m.multiply(limit, m.divide(1, limit));
    EXPECT_EQ(0x3f7fffffu, m.bits(c)) << limit;
    const double g = m.narrow(0.3);
    const std::vector<GradientSets> sets{tensor(binary32, {g, 0.7})};
    const Admissible set = clipped(sets, limit, formula(ClipFormula::limit_minimum))[0];
    EXPECT_TRUE(set.contains(m.bits(m.multiply(g, c))));
    EXPECT_TRUE(set.contains(m.bits(g)));
    EXPECT_FALSE(set.contains(m.bits(g) + 3));
    const Admissible kept = clipped(sets, limit, formula(ClipFormula::limit_minimum, 0, false))[0];
    EXPECT_TRUE(kept.is_single());
  }
}

TEST(ClippedByNorm, UnneededLeavesShortFormatsAlone) {
  // A factor that is 1 but for the last bits of binary32 moves no element of binary16.
  EXPECT_TRUE(
      clipped({tensor(binary16, {0.3, 0.7})}, 41, formula(ClipFormula::quotient))[0].is_single());
}

// A3 (b): optax at equality.
TEST(ClippedByNorm, AtTheLimitBothAnswersAreRight) {
  const Admissible set =
      clipped({tensor(binary32, {5, 12})}, 13, formula(ClipFormula::quotient))[1];
  EXPECT_TRUE(set.contains(f32(12).bits));
  EXPECT_TRUE(set.contains(f32(12.000001).bits));
  // 40·RN(41·RN(1/41)) is the number below 40.
  const Admissible clips =
      clipped({tensor(binary32, {9, 40})}, 41, formula(ClipFormula::limit_minimum, 0, false))[1];
  EXPECT_TRUE(clips.contains(f32(40).bits));
  EXPECT_TRUE(clips.contains(f32(40).bits - 1));
}

// An enclosure that reaches down to 0: the norm may have been computed as anything up to its upper
// end.
TEST(ClippedByNorm, OfANormThatMayHaveUnderflowed) {
  const Machine m(binary32);
  // A square of 0.6 of the smallest subnormal number rounds to that, and three of 0.3 round to 0.
  const double x = 0x1.2p-75, small = 0x1.9p-76;
  ASSERT_EQ(0x1p-149, m.multiply(x, x));
  ASSERT_EQ(0, m.multiply(small, small));
  const double computed = m.root(m.multiply(x, x));
  const std::vector<double> values{x, small, small, small};
  const Norm n = norm({tensor(binary32, values)});
  ASSERT_TRUE(n.computed.contains(m.bits(computed)));
  ASSERT_TRUE(n.computed.contains(0));
  for (int k = 1; k < 16; ++k) {
    const double limit = m.narrow(computed * k / 16);
    for (const ClipFormula f : {ClipFormula::quotient, ClipFormula::reciprocal_product}) {
      const double c = factor(m, f, computed, limit, 0);
      for (const bool multiplies : {false, true}) {
        const Admissible set =
            clipped({tensor(binary32, values)}, limit, formula(f, 0, multiplies))[0];
        EXPECT_TRUE(set.contains(m.bits(m.multiply(x, c)))) << k << set.to_string();
      }
    }
  }
}

// A10: (2^-24, 3) to 1 in binary16: a third of the smallest number is 0.
TEST(ClippedByNorm, MayRoundToZero) {
  const std::vector<Admissible> set =
      clipped({tensor(binary16, {0x1p-24, 3})}, 1, formula(ClipFormula::quotient));
  EXPECT_TRUE(set[0].contains(0));
  EXPECT_FALSE(set[0].may_be_non_finite());
  EXPECT_TRUE(set[1].contains(number(binary16, 1).bits));
}

// A scalar tensor of binary32 times one of bfloat16 is cast to bfloat16 first.
TEST(ClippedByNorm, MayCastItsFactorToTheElement) {
  const Machine m(bfloat16);
  const double c = m.narrow(static_cast<float>(1.0 / 3)), g = 1.4140625;
  ASSERT_NE(m.bits(g * c), m.bits(g / 3));
  const Admissible set = clipped_by_norm(Admissible::of(number(bfloat16, g)),
                                         {Admissible::of(f32(3)), std::nullopt, Exact(3)}, f32(1),
                                         formula(ClipFormula::quotient));
  EXPECT_TRUE(set.contains(m.bits(g * c)));
  EXPECT_TRUE(set.contains(m.bits(g / 3)));
}

TEST(ClippedByNorm, OfAnInfiniteNormIsNotJudged) {
  EXPECT_TRUE(
      clipped({tensor(binary32, {1e20, 1e20, 1e20, 1e20})}, 1, torch_policy())[0].contains(0));
}

TEST(ClippedByNorm, HoldsEveryElementOfAnInterval) {
  const Machine m(binary32);
  const std::uint64_t low = f32(2.9).bits, high = low + 5;
  const GradientSets sets{Admissible::between(binary32, low, high), Admissible::of(f32(-4))};
  const Norm n = norm({sets});
  EXPECT_FALSE(n.exact.has_value());
  for (const double limit : {1.0, 4.94, 4.9406, 4.9407, 6.0}) {
    const Admissible set = clipped_by_norm(sets[0], n, f32(limit), formula(ClipFormula::quotient));
    for (std::uint64_t bits = low; bits <= high; ++bits) {
      const double x = as_double({&binary32, bits});
      const double computed = m.root(m.add(m.multiply(x, x), 16));
      ASSERT_TRUE(n.computed.contains(m.bits(computed)));
      const double c = factor(m, ClipFormula::quotient, computed, m.narrow(limit), 0);
      ASSERT_TRUE(set.contains(m.bits(m.multiply(x, c)))) << limit;
    }
  }
}

// ---- clips by value

TEST(ClippedByValue, HoldsTheLimitAsComparedScaled) {
  // golden/innocent/A15: 0.05 at S = 100 is also 0.04999999701976776.
  Policy policy;
  policy.unscale = UnscaleArithmetic::reciprocal_binary32;
  const Number limit = number(binary64, 0.05);
  const Admissible set = clipped_by_value(Admissible::of(f32(-7)), limit, {100}, policy);
  EXPECT_TRUE(set.contains(f32(-0.05000000074505806).bits));
  EXPECT_TRUE(set.contains(f32(-0.04999999701976776).bits));
  EXPECT_FALSE(set.contains(f32(0.05000000074505806).bits));
  EXPECT_LE(set.patterns().size(), 4u);
  EXPECT_TRUE(clipped_by_value(Admissible::of(f32(0.049)), limit, {100}, policy).is_single());
  EXPECT_EQ(f32(0.5).bits,
            clipped_by_value(Admissible::of(f32(3)), f32(0.5), {1024}, policy).single());
}

// Of several scales that the subject may have any may be its own.
TEST(ClippedByValue, HoldsTheLimitUnderEveryScale) {
  const Machine m(binary32);
  const Number limit = f32(0.05);
  const auto at = [&](float scale) { return m.divide(m.multiply(as_double(limit), scale), scale); };
  ASSERT_NE(at(128), at(163));
  for (const std::vector<Rational>& scales :
       {std::vector<Rational>{128, 163}, std::vector<Rational>{163, 128}}) {
    const Admissible set = clipped_by_value(Admissible::of(f32(7)), limit, scales, {});
    EXPECT_TRUE(set.contains(m.bits(at(128))));
    EXPECT_TRUE(set.contains(m.bits(at(163))));
  }
  EXPECT_FALSE(
      clipped_by_value(Admissible::of(f32(7)), limit, {128}, {}).contains(m.bits(at(163))));
  EXPECT_TRUE(clipped_by_value(Admissible::of(f32(7)), limit, {}, {}).is_single());
}

TEST(ClippedByValue, ComparesScaledElementsWithTheScaledLimit) {
  const Number limit = f32(0.05);
  const std::vector<Rational> scales{128, 163};
  const auto clipped = [&](double x) {
    return clipped_scaled_by_value(Admissible::of(f32(x)), limit, scales);
  };
  EXPECT_TRUE(clipped(6).is_single());
  EXPECT_EQ(f32(-0.05f * 128).bits, clipped(-9).highest());
  EXPECT_EQ(f32(-0.05f * 163).bits, clipped(-9).lowest());
  EXPECT_TRUE(clipped(7).contains(f32(7).bits));
  EXPECT_TRUE(clipped(INFINITY).contains(0));
}

TEST(ClippedByValue, OfAnIntervalAroundTheLimit) {
  const Admissible set = clipped_by_value(
      Admissible::between(binary32, f32(0.4).bits, f32(0.6).bits), f32(0.5), {}, {});
  EXPECT_EQ(f32(0.4).bits, set.lowest());
  EXPECT_EQ(f32(0.5).bits, set.highest());
  EXPECT_TRUE(set.contains(f32(0.45).bits));
}

}  // namespace
}  // namespace ampcheck::reference
