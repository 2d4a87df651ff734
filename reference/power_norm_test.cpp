// Norms of p other than 2.
#include "reference/power_norm.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "reference/clipping_support_test.hpp"
#include "reference/error_bounds.hpp"

namespace ampcheck::reference {
namespace {

constexpr NormOrder kMagnitudes{1, false}, kCubes{3, false}, kLargest{0, true};

Norm norm(const std::vector<GradientSets>& tensors, NormOrder order, const Policy& policy = {}) {
  return norm_of(tensors, policy, order);
}

// One evaluation in binary32, in an order drawn at random.
double evaluated(std::vector<double> values, int p, std::mt19937_64& random) {
  const Machine m(binary32);
  std::shuffle(values.begin(), values.end(), random);
  double sum = 0;
  for (const double x : values) {
    const auto magnitude = static_cast<float>(std::fabs(x));
    const bool multiplies = random() % 2;
    sum = m.add(sum, p == 1       ? magnitude
                     : multiplies ? m.multiply(m.multiply(magnitude, magnitude), magnitude)
                                  : std::pow(magnitude, 3.0f));
  }
  if (p == 1) return sum;
  return random() % 2 ? std::cbrt(static_cast<float>(sum))
                      : std::pow(static_cast<float>(sum), 1.0f / 3);
}

TEST(PowerNorm, HoldsEveryEvaluation) {
  std::mt19937_64 random(1);
  const Machine m(binary32);
  for (const NormOrder order : {kMagnitudes, kCubes})
    for (int i = 0; i < 100; ++i) {
      std::vector<double> values;
      // Cubes reach from below the subnormal range to near the largest number.
      const int lowest = static_cast<int>(random() % 86) - 48;
      for (std::size_t n = 1 + random() % 9; n != 0; --n)
        values.push_back(m.narrow(random_value(random, lowest, 4)));
      const Norm set = norm({tensor(binary32, values)}, order);
      for (int k = 0; k < 20; ++k) {
        const double x = evaluated(values, order.p, random);
        ASSERT_TRUE(set.computed.contains(m.bits(x)))
            << x << " not in " << set.computed.to_string() << " p = " << order.p;
      }
    }
}

// Cubes of normal numbers leave a set of a few units: neither the norm of another p nor a sum
// without its root.
TEST(PowerNorm, IsNarrow) {
  const Norm cubes = norm({tensor(binary32, {3, -4}), tensor(binary32, {5})}, kCubes);
  EXPECT_TRUE(cubes.computed.contains(f32(6).bits));
  EXPECT_FALSE(cubes.computed.contains(f32(6.0001).bits));
  EXPECT_FALSE(cubes.computed.contains(f32(5.9999).bits));
  EXPECT_FALSE(cubes.exact);
  EXPECT_EQ(
      f32(12).bits,
      norm({tensor(binary32, {3, -4}), tensor(binary32, {5})}, kMagnitudes).computed.single());
}

// The pow of a sum s may be off by 9 roundings and by e^(v/3·ln s).
TEST(PowerNorm, ReachesAsFarAsItsBoundSays) {
  const Rational v = relative_error(binary32);
  for (const double x : {1.0, 0x1p30}) {
    const Admissible set = norm({tensor(binary32, {x})}, kCubes).computed;
    const Rational exact = rational(x);
    // 9 of the power count a third each; the root's own 9, and 0.7·91/3 = 21.2 for 2^90.
    const int least = 9 + 3 + (x == 1 ? 0 : 20), most = least + 4;
    const Rational up = value_of(set.highest(), binary32) / exact - Rational(1);
    EXPECT_GE(up, v * (least - 2)) << x;
    EXPECT_LE(up, v * (most + 2)) << x;
  }
}

// Four units in the last place of a subnormal power, which here is 32 of them.
TEST(PowerNorm, HoldsWhatUnderflowLeavesOfAPower) {
  const Machine m(binary32);
  const Admissible set = norm({tensor(binary32, {0x1p-48})}, kCubes).computed;
  for (const double units : {28.0, 36.0})
    EXPECT_TRUE(set.contains(m.bits(std::cbrt(units * 0x1p-149)))) << units;
}

TEST(PowerNorm, TheLargestRoundsNowhere) {
  for (const bool of_tensors : {false, true}) {
    Policy policy;
    policy.norm_of_tensor_norms = of_tensors;
    const Norm largest = norm({tensor(binary32, {0x1.fffffep127, -1}), tensor(binary16, {3}),
                               tensor(binary32, {-0x1.fffffep127}), tensor(binary32, {})},
                              kLargest, policy);
    EXPECT_EQ(binary32.max_finite(), largest.computed.single());
    EXPECT_EQ(value_of(binary32.max_finite(), binary32), largest.exact->rational_part());
  }
  EXPECT_EQ(0u, norm({}, kLargest).computed.single());
  // Between bounds of the elements.
  GradientSets set = tensor(binary32, {-1, 2});
  set[0].add(f32(-4).bits);
  set[0] = set[0].hull();
  const Admissible between = norm({set}, kLargest).computed;
  EXPECT_EQ(f32(2).bits, between.lowest());
  EXPECT_EQ(f32(4).bits, between.highest());
}

TEST(PowerNorm, MayBeFlushed) {
  Policy policy;
  policy.may_flush = true;
  for (const NormOrder order : {kMagnitudes, kLargest}) {
    EXPECT_TRUE(norm({tensor(binary32, {0x1p-130})}, order, policy).computed.contains(0));
    EXPECT_FALSE(norm({tensor(binary32, {0x1p-130})}, order).computed.contains(0));
  }
}

TEST(PowerNorm, MayOverflow) {
  const std::vector<GradientSets> huge{tensor(binary32, {0x1p127, -0x1p127})};
  EXPECT_EQ(binary32.infinity(), norm(huge, kMagnitudes).computed.single());
  EXPECT_FALSE(norm(huge, kCubes).computed.may_be_finite());
  EXPECT_EQ(f32(0x1p127).bits, norm(huge, kLargest).computed.single());
  Policy rescaled;
  rescaled.norm_is_rescaled = true;
  EXPECT_TRUE(norm(huge, kCubes, rescaled).computed.contains(f32(0x1.428a3p127).bits));
}

// Norms over tensors of tensors' norms, each level of the same p.
TEST(PowerNorm, OfTensorNorms) {
  Policy policy;
  policy.norm_of_tensor_norms = true;
  const std::vector<GradientSets> sets{tensor(binary32, {3, 4}), tensor(bfloat16, {-5})};
  EXPECT_EQ(f32(12).bits, norm(sets, kMagnitudes, policy).computed.single());
  EXPECT_TRUE(norm(sets, kCubes, policy).computed.contains(f32(6).bits));
}

// Without a range of exponents there is an overflow only of the norm itself, and where nothing
// rounds still one pattern.
TEST(NormOf, HoldsTheTrueNormWhateverOverflows) {
  for (const bool of_tensors : {false, true})
    for (const int base : {-120, -90, -60, 0, 63, 100, 124}) {
      Policy policy;
      policy.norm_of_tensor_norms = of_tensors;
      const double unit = std::ldexp(1.0, base);
      const Norm n = norm_of(
          std::vector<GradientSets>{tensor(binary32, {3 * unit}), tensor(binary32, {-4 * unit})},
          policy, {}, Exponents::unbounded);
      EXPECT_EQ(f32(5 * unit).bits, n.computed.single()) << base;
    }
  const Norm beyond = norm_of(std::vector<GradientSets>{tensor(binary32, {0x1.8p127, -0x1.8p127})},
                              {}, {}, Exponents::unbounded);
  EXPECT_FALSE(beyond.computed.may_be_finite());
  ASSERT_TRUE(beyond.wide);
  EXPECT_FALSE(beyond.wide->may_be_non_finite());
}

// The roundings of the declared algorithm are those of the same numbers near 1.
TEST(NormOf, OfAnyExponentIsAsWideAsNearOne) {
  std::mt19937_64 random(9);
  const Machine m(binary32);
  std::vector<double> near, far;
  for (int i = 0; i < 20; ++i) {
    near.push_back(m.narrow(random_value(random, -2, 2)));
    far.push_back(std::ldexp(near.back(), 90));
  }
  const Admissible a = norm_of(std::vector<GradientSets>{tensor(binary32, near)}, {}).computed;
  const Admissible b =
      norm_of(std::vector<GradientSets>{tensor(binary32, far)}, {}, {}, Exponents::unbounded)
          .computed;
  EXPECT_EQ(a.lowest() + (std::uint64_t{90} << 23), b.lowest());
  EXPECT_EQ(a.highest() + (std::uint64_t{90} << 23), b.highest());
}

// A root of each tensor's sum, for the p that is asked for and no other.
TEST(NormOf, OfTensorsOfSeveralFormatsTakesRootsOfItsOwnOrder) {
  const std::vector<GradientSets> sets{tensor(binary32, {1, 2}), tensor(binary64, {2})};
  EXPECT_EQ(number(binary64, 3).bits, norm(sets, NormOrder{}).computed.single());
  const Admissible cubes =
      norm({tensor(binary32, {3, -4}), tensor(binary64, {5})}, kCubes).computed;
  EXPECT_TRUE(cubes.contains(number(binary64, 6).bits));
  EXPECT_LT(value_of(cubes.highest(), binary64), rational(6.01));
}

// What is flushed may be so on the way of the declared algorithm, wherever the true norm lies.
TEST(NormOf, OfSubnormalNumbersMayBeFlushedWhateverTheRange) {
  Policy flush;
  flush.may_flush = true;
  const auto may_vanish = [](const NumberFormat& f, double x, const Policy& policy) {
    return norm_of(std::vector<GradientSets>{tensor(f, {x, 0})}, policy, {}, Exponents::unbounded)
        .computed.contains(0);
  };
  EXPECT_TRUE(may_vanish(binary32, 0x1p-127, flush));
  EXPECT_FALSE(may_vanish(binary32, 0x1p-127, {}));
  EXPECT_FALSE(may_vanish(binary32, 0x1p-126, flush));
  EXPECT_FALSE(may_vanish(binary32, 0x1p-100, flush));
}

// Elements over the largest one have no exponents to be freed of.
TEST(NormOf, RescaledIsTheSameWithoutARange) {
  Policy rescaled;
  rescaled.norm_is_rescaled = true;
  const std::vector<GradientSets> sets{tensor(binary32, {0x1.1p127, 0x1.5p126, 0x1.7p125})};
  const Admissible a = norm_of(sets, rescaled).computed,
                   b = norm_of(sets, rescaled, {}, Exponents::unbounded).computed;
  EXPECT_EQ(a.lowest(), b.lowest());
  EXPECT_EQ(a.highest(), b.highest());
}

}  // namespace
}  // namespace ampcheck::reference
