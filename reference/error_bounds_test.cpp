#include "reference/error_bounds.hpp"

#include <gtest/gtest.h>

#include "reference/enclosures.hpp"
#include "reference/policy.hpp"

namespace ampcheck::reference {
namespace {

TEST(ErrorBounds, OfOneRounding) {
  EXPECT_EQ(Rational(65520), overflow_threshold(binary16));
  EXPECT_EQ(Rational(464), overflow_threshold(float8_e4m3fn));
  EXPECT_EQ(Rational(1) / 9, relative_error(float8_e5m2));
  EXPECT_EQ(Rational(1) / 2049, relative_error(binary16));
}

TEST(ErrorBounds, OfAFewRoundingsAreExact) {
  const Rational v = relative_error(float8_e5m2);
  EXPECT_EQ(Rational(0), growth_bound(0, float8_e5m2));
  EXPECT_EQ(v, growth_bound(1, float8_e5m2));
  EXPECT_EQ((Rational(1) + v) * (Rational(1) + v) - 1, growth_bound(2, float8_e5m2));
}

// (1 + v)^k < e^x with x = k·v, beside which the bound is too large by x^4/72 and higher powers.
TEST(ErrorBounds, OfManyRoundingsFollowTheExponential) {
  for (const NumberFormat* f : {&float8_e5m2, &bfloat16, &binary32})
    for (const std::size_t k : {3, 4, 5, 7}) {
      const Rational x = relative_error(*f) * static_cast<std::int64_t>(k);
      const Interval exponential = exp_enclosure(x);
      EXPECT_LE(exponential.high - 1, growth_bound(k, *f)) << f->name << " " << k;
      EXPECT_GE(exponential.low - 1 + x * x * x * x / 36, growth_bound(k, *f))
          << f->name << " " << k;
    }
}

// From x = 2 on, which in float4_e2m1fn with v = 1/5 is k = 10: a power of two above 2^(3x/2).
TEST(ErrorBounds, OfVeryManyRoundingsArePowersOfTwo) {
  EXPECT_GT(Rational(8), growth_bound(9, float4_e2m1fn));
  EXPECT_EQ(Rational(16), growth_bound(10, float4_e2m1fn));
  EXPECT_EQ(Rational(32), growth_bound(12, float4_e2m1fn));
  EXPECT_EQ(Rational(1 << 13), growth_bound(33, float4_e2m1fn));
}

// (n - 1)·u of n terms, and the exact bound of up to two additions.
TEST(ErrorBounds, OfSums) {
  const Rational u = unit_roundoff(bfloat16);
  EXPECT_EQ(Rational(0), summation_bound(0, bfloat16));
  EXPECT_EQ(Rational(0), summation_bound(1, bfloat16));
  EXPECT_EQ(growth_bound(1, bfloat16), summation_bound(2, bfloat16));
  EXPECT_EQ(growth_bound(2, bfloat16), summation_bound(3, bfloat16));
  EXPECT_EQ(u * 3, summation_bound(4, bfloat16));
  EXPECT_EQ(u * 99, summation_bound(100, bfloat16));
}

}  // namespace
}  // namespace ampcheck::reference
