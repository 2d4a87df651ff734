#include "reference/number_format.hpp"

#include <gtest/gtest.h>

#include "reference/rounding.hpp"

namespace ampcheck::reference {
namespace {

// IEEE 754-2019 table 3.5 for the binary formats, OFP8 1.0 table 2 for the two of 8 bits, OCP
// MX 1.0 tables 3 to 7 for the shorter ones and the scale, Noune et al. 2022 for fnuz. bfloat16 and
// tf32 have binary32's exponents.
struct Constants {
  const NumberFormat* format;
  int width, precision, bias, min_exponent, max_exponent, min_quantum;
  std::uint64_t infinity, max_finite, min_normal, nans;
};

const Constants kConstants[] = {
    {&binary16, 16, 11, 15, -14, 15, -24, 0x7c00, 0x7bff, 0x0400, 2 * 1023},
    {&bfloat16, 16, 8, 127, -126, 127, -133, 0x7f80, 0x7f7f, 0x0080, 2 * 127},
    {&binary32, 32, 24, 127, -126, 127, -149, 0x7f800000, 0x7f7fffff, 0x00800000, 0},
    {&binary64, 64, 53, 1023, -1022, 1023, -1074, 0x7ff0000000000000, 0x7fefffffffffffff,
     0x0010000000000000, 0},
    {&float8_e4m3fn, 8, 4, 7, -6, 8, -9, 0, 0x7e, 0x08, 2},
    {&float8_e5m2, 8, 3, 15, -14, 15, -16, 0x7c, 0x7b, 0x04, 2 * 3},
    {&float8_e4m3fnuz, 8, 4, 8, -7, 7, -10, 0, 0x7f, 0x08, 1},
    {&float8_e5m2fnuz, 8, 3, 16, -15, 15, -17, 0, 0x7f, 0x04, 1},
    {&tf32, 19, 11, 127, -126, 127, -136, 0x3fc00, 0x3fbff, 0x00400, 2 * 1023},
    {&float8_e8m0fnu, 8, 1, 127, -127, 127, -127, 0, 0xfe, 0, 1},
    {&float6_e2m3fn, 6, 4, 1, 0, 2, -3, 0, 0x1f, 0x08, 0},
    {&float6_e3m2fn, 6, 3, 3, -2, 4, -4, 0, 0x1f, 0x04, 0},
    {&float4_e2m1fn, 4, 2, 1, 0, 2, -1, 0, 0x7, 0x2, 0},
};

TEST(NumberFormat, HasTheConstantsOfItsStandard) {
  ASSERT_EQ(std::size(kNumberFormats), std::size(kConstants));
  for (const Constants& c : kConstants) {
    const NumberFormat& f = *c.format;
    SCOPED_TRACE(f.name);
    EXPECT_EQ(c.width, f.width);
    EXPECT_EQ(c.width, (f.is_signed ? 1 : 0) + f.exponent_bits + f.fraction_bits);
    EXPECT_EQ(c.precision, f.precision());
    EXPECT_EQ(c.bias, f.bias());
    EXPECT_EQ(c.min_exponent, f.min_exponent());
    EXPECT_EQ(c.max_exponent, f.max_exponent());
    EXPECT_EQ(c.min_quantum, f.min_quantum());
    EXPECT_EQ(c.infinity != 0, f.has_infinity());
    if (f.has_infinity()) {
      EXPECT_EQ(c.infinity, f.infinity());
    }
    EXPECT_EQ(c.max_finite, f.max_finite());
    EXPECT_EQ(c.min_normal, f.min_normal());
    EXPECT_EQ(f.is_signed ? std::uint64_t{1} << (c.width - 1) : 0, f.sign_bit());
    if (f.has_nan()) {
      EXPECT_TRUE(f.is_nan(f.nan()));
      EXPECT_FALSE(f.is_negative(f.nan()));
    } else {
      EXPECT_THROW(f.nan(), NotRepresentable);
    }
    EXPECT_EQ(&f, find_number_format(f.name));
  }
  EXPECT_EQ(nullptr, find_number_format("binary128"));
  EXPECT_EQ(nullptr, find_number_format(""));
}

TEST(NumberFormat, HasTheExtremeValuesOfItsStandard) {
  EXPECT_EQ(Rational(65504), value_of(binary16.max_finite(), binary16));
  EXPECT_EQ(Rational(448), value_of(float8_e4m3fn.max_finite(), float8_e4m3fn));
  EXPECT_EQ(Rational(57344), value_of(float8_e5m2.max_finite(), float8_e5m2));
  EXPECT_EQ(Rational(240), value_of(float8_e4m3fnuz.max_finite(), float8_e4m3fnuz));
  EXPECT_EQ(Rational(57344), value_of(float8_e5m2fnuz.max_finite(), float8_e5m2fnuz));
  EXPECT_EQ(Rational::dyadic(2047, 117), value_of(tf32.max_finite(), tf32));
  EXPECT_EQ(Rational::power_of_two(127), value_of(float8_e8m0fnu.max_finite(), float8_e8m0fnu));
  EXPECT_EQ(Rational(15) / 2, value_of(float6_e2m3fn.max_finite(), float6_e2m3fn));
  EXPECT_EQ(Rational(28), value_of(float6_e3m2fn.max_finite(), float6_e3m2fn));
  EXPECT_EQ(Rational(6), value_of(float4_e2m1fn.max_finite(), float4_e2m1fn));
  for (const NumberFormat& f : kNumberFormats) {
    SCOPED_TRACE(f.name);
    EXPECT_EQ(Rational::power_of_two(f.min_quantum()), value_of(f.has_zero ? 1 : 0, f));
    EXPECT_EQ(f.is_signed ? -value_of(f.max_finite(), f) : value_of(0, f), value_of(f.lowest(), f));
    EXPECT_EQ(Rational::power_of_two(f.min_exponent()), value_of(f.min_normal(), f));
    EXPECT_EQ(f.max_exponent(), value_of(f.max_finite(), f).floor_log2());
  }
}

// OCP MX 1.0, section 5.3.3: all there are, with the sign bit clear.
TEST(NumberFormat, HoldsTheNumbersOfFloat4) {
  const Rational half = Rational(1) / 2;
  const Rational numbers[] = {0, half, 1, Rational(1) + half, 2, 3, 4, 6};
  for (std::uint64_t bits = 0; bits < 8; ++bits) {
    EXPECT_EQ(numbers[bits], value_of(bits, float4_e2m1fn));
    EXPECT_EQ(-numbers[bits], value_of(bits | 8, float4_e2m1fn));
  }
}

TEST(NumberFormat, HoldsOnlyPowersOfTwoInE8M0) {
  for (std::uint64_t bits = 0; bits < 255; ++bits)
    EXPECT_EQ(Rational::power_of_two(static_cast<int>(bits) - 127), value_of(bits, float8_e8m0fnu));
  EXPECT_TRUE(float8_e8m0fnu.is_nan(255));
}

TEST(NumberFormat, ClassifiesEveryPatternOfTheShortFormats) {
  for (const Constants& c : kConstants) {
    const NumberFormat& f = *c.format;
    if (f.width > 19) continue;
    SCOPED_TRACE(f.name);
    std::uint64_t nans = 0, infinities = 0, zeros = 0, subnormals = 0, normals = 0;
    for (std::uint64_t bits = 0; bits >> f.width == 0; ++bits) {
      ASSERT_TRUE(f.holds(bits));
      const int classes = f.is_nan(bits) + f.is_infinite(bits) + f.is_zero(bits) +
                          f.is_subnormal(bits) + f.is_normal(bits);
      ASSERT_EQ(1, classes) << bits;
      ASSERT_EQ(f.is_zero(bits) || f.is_subnormal(bits) || f.is_normal(bits), f.is_finite(bits));
      nans += f.is_nan(bits);
      infinities += f.is_infinite(bits);
      zeros += f.is_zero(bits);
      subnormals += f.is_subnormal(bits);
      normals += f.is_normal(bits);
    }
    EXPECT_EQ(c.nans, nans);
    EXPECT_EQ(f.has_infinity() ? 2u : 0u, infinities);
    EXPECT_EQ(f.has_negative_zero() ? 2u : f.has_zero ? 1u : 0u, zeros);
    EXPECT_EQ(f.has_zero ? 2 * (c.min_normal - 1) : 0, subnormals);
    EXPECT_EQ((std::uint64_t{1} << f.width) - nans - infinities - zeros - subnormals, normals);
    EXPECT_FALSE(f.holds(std::uint64_t{1} << f.width));
  }
}

}  // namespace
}  // namespace ampcheck::reference
