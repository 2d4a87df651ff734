#include "reference/rounding.hpp"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <random>
#include <stdexcept>

#include "reference/emulation_test.hpp"
#include "reference/round_quotient.hpp"
#include "reference/share_test.hpp"

namespace ampcheck::reference {
namespace {

const Rational kLittle = Rational::power_of_two(-3000);

TEST(Rounding, OverflowsOfBinary16StartAt65520) {
  EXPECT_EQ(0x7bffu, round_to(Rational(65520) - kLittle, binary16));
  EXPECT_EQ(0x7c00u, round_to(65520, binary16));
  EXPECT_EQ(0xfc00u, round_to(-65520, binary16));
  EXPECT_EQ(0x7bffu, round_to(65520, binary16, Rounding::toward_zero));
  EXPECT_EQ(0x7bffu, round_to(1'000'000, binary16, Rounding::down));
  EXPECT_EQ(0xfbffu, round_to(-1'000'000, binary16, Rounding::up));
  EXPECT_EQ(0x7c00u, round_to(1'000'000, binary16, Rounding::up));
  EXPECT_EQ(0xfc00u, round_to(-1'000'000, binary16, Rounding::down));
  EXPECT_EQ(0x7c00u, round_to(65505, binary16, Rounding::up));
  EXPECT_EQ(0x7bffu, round_to(65520, binary16, Rounding::nearest_even, Overflow::saturate));
}

// OFP8: 448 is the largest; 464, half way to what 480 would be, is a tie and goes to the even 448.
TEST(Rounding, OverflowsOfE4M3AreNaNAbove464) {
  EXPECT_EQ(0x7eu, round_to(464, float8_e4m3fn));
  EXPECT_EQ(0x7fu, round_to(464, float8_e4m3fn, Rounding::nearest_away));
  EXPECT_EQ(0x7fu, round_to(Rational(464) + kLittle, float8_e4m3fn));
  EXPECT_EQ(0xffu, round_to(Rational(-464) - kLittle, float8_e4m3fn));
  EXPECT_EQ(0x7fu, round_to(512, float8_e4m3fn));
  EXPECT_EQ(0x7fu, round_to(1'000'000, float8_e4m3fn));
  EXPECT_EQ(0x7eu, round_to(1'000'000, float8_e4m3fn, Rounding::nearest_even, Overflow::saturate));
  EXPECT_EQ(0x7eu, round_to(1'000'000, float8_e4m3fn, Rounding::toward_zero));
  EXPECT_EQ(0x7bu, round_to(Rational(61440) - kLittle, float8_e5m2));
  EXPECT_EQ(0x7cu, round_to(61440, float8_e5m2));
}

// The standards' and ml_dtypes' figures: 240 and 57344 are the largest of fnuz, 248 and 61440 ties
// that go to the even number beyond.
TEST(Rounding, OverflowsOfFnuzAreNaN) {
  EXPECT_EQ(0x7fu, round_to(Rational(248) - kLittle, float8_e4m3fnuz));
  EXPECT_EQ(0x80u, round_to(248, float8_e4m3fnuz));
  EXPECT_EQ(0x80u, round_to(-248, float8_e4m3fnuz));
  EXPECT_EQ(0xffu, round_to(-1000, float8_e4m3fnuz, Rounding::toward_zero));
  EXPECT_EQ(0xffu, round_to(-1000, float8_e4m3fnuz, Rounding::nearest_even, Overflow::saturate));
  EXPECT_EQ(0x7fu, round_to(Rational(61440) - kLittle, float8_e5m2fnuz));
  EXPECT_EQ(0x80u, round_to(61440, float8_e5m2fnuz));
}

TEST(Rounding, HasNoNegativeZeroInFnuz) {
  EXPECT_EQ(0u, round_to(0, float8_e4m3fnuz, Rounding::nearest_even, Overflow::standard, true));
  EXPECT_EQ(0u, round_to(-kLittle, float8_e4m3fnuz));
  EXPECT_EQ(0x81u, round_to(-kLittle, float8_e4m3fnuz, Rounding::down));
  EXPECT_EQ(0u, convert({&binary32, 0x80000000}, float8_e5m2fnuz));
  EXPECT_EQ(0x80u, convert({&binary32, 0x7fc00000}, float8_e5m2fnuz));
  EXPECT_EQ(0x7fc00000u, convert({&float8_e5m2fnuz, 0x80}, binary32));
}

// OCP MX 1.0: conversions to these saturate.
TEST(Rounding, SaturatesWhereThereIsNeitherInfinityNorNaN) {
  EXPECT_EQ(0x7u, round_to(1000, float4_e2m1fn));
  EXPECT_EQ(0xfu, round_to(-1000, float4_e2m1fn, Rounding::down));
  EXPECT_EQ(0x6u, round_to(5, float4_e2m1fn));  // a tie
  EXPECT_EQ(0x1fu, convert({&binary32, 0x7f800000}, float6_e2m3fn));
  EXPECT_EQ(0x3fu, convert({&binary16, 0xfc00}, float6_e3m2fn));
  EXPECT_EQ(0x20u, convert({&binary16, 0x8000}, float6_e3m2fn));
  EXPECT_THROW(convert({&binary32, 0x7fc00000}, float6_e2m3fn), NotRepresentable);
}

TEST(Rounding, OfPowersOfTwoOnly) {
  const Rational one_and_a_half = Rational(3) / 2, smallest = Rational::power_of_two(-127);
  EXPECT_EQ(127u, round_to(1, float8_e8m0fnu));
  EXPECT_EQ(128u, round_to(one_and_a_half, float8_e8m0fnu));
  EXPECT_EQ(129u, round_to(3, float8_e8m0fnu));
  EXPECT_EQ(127u, round_to(one_and_a_half - kLittle, float8_e8m0fnu));
  EXPECT_EQ(0u, round_to(smallest, float8_e8m0fnu));
  EXPECT_EQ(1u, round_to(smallest * one_and_a_half, float8_e8m0fnu));
  for (const Rounding mode : {Rounding::nearest_even, Rounding::toward_zero, Rounding::up})
    EXPECT_EQ(0u, round_to(kLittle, float8_e8m0fnu, mode));
  const Rational largest = Rational::power_of_two(127);
  EXPECT_EQ(254u, round_to(largest * one_and_a_half - kLittle, float8_e8m0fnu));
  EXPECT_EQ(255u, round_to(largest * one_and_a_half, float8_e8m0fnu));
  EXPECT_EQ(254u,
            round_to(largest * 4, float8_e8m0fnu, Rounding::nearest_even, Overflow::saturate));
  EXPECT_THROW(round_to(0, float8_e8m0fnu), NotRepresentable);
  EXPECT_THROW(round_to(-1, float8_e8m0fnu), NotRepresentable);
  EXPECT_EQ(255u, convert({&binary32, 0xff800000}, float8_e8m0fnu));
  EXPECT_EQ(254u, convert({&binary32, 0x7f800000}, float8_e8m0fnu, Overflow::saturate));
  EXPECT_THROW(convert({&binary32, 0xff800000}, float8_e8m0fnu, Overflow::saturate),
               NotRepresentable);
}

TEST(Rounding, SaysWhatCannotBeRepresented) {
  try {
    round_to(Rational(-1) / 3, float8_e8m0fnu);
    FAIL();
  } catch (const NotRepresentable& error) {
    EXPECT_STREQ("float8_e8m0fnu has no pattern for the negative number -1/3", error.what());
  }
}

TEST(Rounding, BreaksTiesOfTheSmallest) {
  const Rational smallest = Rational::power_of_two(-24), half = Rational::power_of_two(-25);
  EXPECT_EQ(0u, round_to(half, binary16));
  EXPECT_EQ(1u, round_to(half + kLittle, binary16));
  EXPECT_EQ(1u, round_to(half, binary16, Rounding::nearest_away));
  EXPECT_EQ(0x8000u, round_to(-half, binary16));
  EXPECT_EQ(0x8001u, round_to(-kLittle, binary16, Rounding::down));
  EXPECT_EQ(0u, round_to(kLittle, binary16, Rounding::down));
  EXPECT_EQ(2u, round_to(smallest + half, binary16));
  EXPECT_EQ(0x400u, round_to(Rational::power_of_two(-14) - Rational::power_of_two(-25), binary16));
}

// Half of the smallest number, from significands of 63 bits and of one, so that all of it is
// shifted out.
TEST(Rounding, FindsHalfOfTheSmallestFarBelowTheLastPlace) {
  const std::int64_t bit = std::int64_t{1} << 62;
  EXPECT_EQ(1u, round_to(Rational::dyadic(bit + 1, -87), binary16));
  EXPECT_EQ(0u, round_to(Rational::dyadic(bit - 1, -87), binary16));
  for (int exponent = -90; exponent < -25; ++exponent) {
    EXPECT_EQ(0u, round_to(Rational::power_of_two(exponent), binary16));
    EXPECT_EQ(1u, round_to(Rational::power_of_two(exponent), binary16, Rounding::up));
  }
}

TEST(Rounding, KeepsTheSignOfZero) {
  EXPECT_EQ(0u, round_to(0, binary32));
  EXPECT_EQ(0x80000000u, round_to(0, binary32, Rounding::nearest_even, Overflow::standard, true));
  EXPECT_EQ(0x80000000u, round_to(-Rational::power_of_two(-200), binary32));
  EXPECT_EQ(0x8000u, convert({&binary32, 0x80000000}, binary16));
}

TEST(Rounding, ConvertsWhatIsNotFinite) {
  EXPECT_EQ(0xfc00u, convert({&binary32, 0xff800000}, binary16));
  EXPECT_EQ(0xffu, convert({&binary32, 0xff800000}, float8_e4m3fn));
  EXPECT_TRUE(binary16.is_nan(convert({&binary32, 0x7fc00001}, binary16)));
  EXPECT_EQ(0x7fc00001u, convert({&binary32, 0x7fc00001}, binary32));
  // OFP8 1.0, table 3.
  EXPECT_EQ(0x7bu, convert({&binary32, 0x7f800000}, float8_e5m2, Overflow::saturate));
  EXPECT_EQ(0xfeu, convert({&binary32, 0xff800000}, float8_e4m3fn, Overflow::saturate));
  EXPECT_EQ(0xfeu, convert({&binary32, 0xc4000000}, float8_e4m3fn, Overflow::saturate));
  EXPECT_EQ(0x7bffu, convert({&binary16, 0x7c00}, binary16, Overflow::saturate));
  EXPECT_THROW(value_of(0x7c00, binary16), std::domain_error);
}

TEST(Rounding, KnowsWhatIsRepresentable) {
  EXPECT_TRUE(is_representable(65504, binary16));
  EXPECT_FALSE(is_representable(65503, binary16));
  EXPECT_FALSE(is_representable(65536, binary16));
  EXPECT_FALSE(is_representable(Rational(1) / 3, binary64));
  EXPECT_FALSE(is_representable(0, float8_e8m0fnu));
  EXPECT_FALSE(is_representable(-2, float8_e8m0fnu));
  EXPECT_TRUE(is_representable(-2, binary16));
  EXPECT_TRUE(is_representable(2, float8_e8m0fnu));
  EXPECT_TRUE(is_representable(0, float8_e4m3fnuz));
  EXPECT_TRUE(is_representable(Rational::power_of_two(-1074), binary64));
}

// a + b·√q by MPFR at 4096 bits, rounded by MPFR to the format's precision. Far from ties, which an
// irrational number is never on.
std::uint64_t by_mpfr(const Rational& a, const Rational& b, const Rational& q,
                      const second::Layout& f) {
  mpfr_t x;
  mpfr_init2(x, 4096);
  mpq_t r;
  mpq_init(r);
  mpq_set_str(r, q.to_string().c_str(), 10);
  mpfr_set_q(x, r, MPFR_RNDN);
  mpfr_sqrt(x, x, MPFR_RNDN);
  mpq_set_str(r, b.to_string().c_str(), 10);
  mpfr_mul_q(x, x, r, MPFR_RNDN);
  mpq_set_str(r, a.to_string().c_str(), 10);
  mpfr_add_q(x, x, r, MPFR_RNDN);
  // The leading 100 bits and whether there are more, for the long-hand rounding.
  mpz_t z;
  mpz_init(z);
  const auto exponent = static_cast<int>(mpfr_get_z_2exp(z, x));
  second::Value value{mpfr_sgn(x) < 0};
  mpz_abs(z, z);
  const auto bits = static_cast<int>(mpz_sizeinbase(z, 2));
  mpz_fdiv_q_2exp(z, z, static_cast<mp_bitcnt_t>(bits - 120));
  value.significand = static_cast<std::uint64_t>(mpz_get_ui(z));
  mpz_fdiv_q_2exp(z, z, 64);
  value.significand |= second::uint128{mpz_get_ui(z)} << 64;
  value.exponent = exponent + bits - 120;
  value.more = true;
  mpz_clear(z);
  mpq_clear(r);
  mpfr_clear(x);
  return second::rounded(value, f);
}

// Both ways through the code: b·√q alone, and with a rational part beside it.
TEST(Rounding, OfIrrationalsAgreesWithMpfr) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 4000; ++i) {
    const auto small = [&] { return static_cast<std::int64_t>(random() % 4001) - 2000; };
    const Rational scale = Rational::power_of_two(static_cast<int>(random() % 300) - 150);
    const Rational q = Rational(static_cast<std::int64_t>(random() % 1000) * 4 + 2);
    const Rational b = Rational(small()) / 7 * scale;
    if (b.is_zero()) continue;
    for (const Rational& a : {Rational(0), Rational(small()) / 9 * scale}) {
      const Exact x = Exact(a) + Exact(b) * Exact::square_root(q);
      for (std::size_t f = 0; f < std::size(kNumberFormats); ++f) {
        if (x.sign() < 0 && !kNumberFormats[f].is_signed) continue;
        ASSERT_EQ(by_mpfr(a, b, q, second::kLayouts[f]), round_to(x, kNumberFormats[f]))
            << x.to_string() << " to " << kNumberFormats[f].name;
      }
    }
  }
}

// p - q·√2 with p/q the n-th approximation of √2 is about 2^(-1.27·n) of its terms.
TEST(Rounding, OfIrrationalsSurvivesCancellation) {
  Rational p = 1, q = 1;
  for (int i = 0; i < 300 / kShare; ++i) {
    for (const int shift : {-1100, -150, 0, 100, 900}) {
      const Rational scale = Rational::power_of_two(shift);
      const Exact x = Exact(p * scale) - Exact(q * scale) * Exact::square_root(2);
      for (std::size_t f = 0; f < std::size(kNumberFormats); ++f) {
        if (x.sign() < 0 && !kNumberFormats[f].is_signed) continue;
        ASSERT_EQ(by_mpfr(p * scale, -q * scale, 2, second::kLayouts[f]),
                  round_to(x, kNumberFormats[f]))
            << i << " " << shift << " to " << kNumberFormats[f].name;
      }
    }
    const Rational next = p + q * 2;
    q += p;
    p = next;
  }
}

// 1024·√2 is 1448.15, and 256·√26 is 1305.35: between a quarter and a half of the unit.
TEST(Rounding, OfARootFindsItsUnitAndItsHalf) {
  EXPECT_EQ(0x6400u + 1448 - 1024, round_to(Exact::square_root(1 << 21), binary16));
  EXPECT_EQ(0x4400u + 1305 - 1024, round_to(Exact::square_root(26), binary16));
}

// √3 is 1.7320508, 3fddb3d7 in binary32.
TEST(Rounding, OfASumWithARootFindsItsBinade) {
  const Exact root = Exact::square_root(3);
  EXPECT_EQ(0x4177u, round_to(Exact(1) + root, binary16));
  EXPECT_EQ(0x7b53u, round_to(Exact(60000) + root, binary16));
  const Rational large = Rational::power_of_two(40);
  const Exact product = Exact(large) * Exact::square_root(large * 3);
  EXPECT_EQ(0x3fddb3d7u + (60u << 23), round_to(Exact(1) + product, binary32));
}

TEST(Rounding, OfIrrationalsInEveryMode) {
  const Exact root = Exact::square_root(2);  // between 3da8 and 3da9, nearer to the first
  EXPECT_EQ(0x3da8u, round_to(root, binary16));
  EXPECT_EQ(0x3da8u, round_to(root, binary16, Rounding::nearest_away));
  EXPECT_EQ(0x3da8u, round_to(root, binary16, Rounding::toward_zero));
  EXPECT_EQ(0x3da8u, round_to(root, binary16, Rounding::down));
  EXPECT_EQ(0x3da9u, round_to(root, binary16, Rounding::up));
  EXPECT_EQ(0xbda9u, round_to(-root, binary16, Rounding::down));
  EXPECT_EQ(0xbda8u, round_to(-root, binary16, Rounding::up));
  const Exact huge = root * Exact(Rational::power_of_two(2000));
  EXPECT_EQ(0x7c00u, round_to(huge, binary16));
  EXPECT_EQ(0x7bffu, round_to(huge + Exact(1), binary16, Rounding::toward_zero));
  EXPECT_EQ(0x7c00u, round_to(huge + Exact(1), binary16));
  const Exact tiny = root * Exact(Rational::power_of_two(-2000));
  EXPECT_EQ(0u, round_to(tiny, binary16));
  EXPECT_EQ(1u, round_to(tiny, binary16, Rounding::up));
  EXPECT_EQ(1u, round_to(tiny + Exact(Rational::power_of_two(-1500)), binary16, Rounding::up));
}

TEST(Rounding, Prints) {
  EXPECT_EQ("3e00", to_hex_bits(0x3e00, binary16));
  EXPECT_EQ("0x1.8p+0", to_hex_float(0x3e00, binary16));
  EXPECT_EQ("-0x0p+0", to_hex_float(0x8000, binary16));
  EXPECT_EQ("0x1p-24", to_hex_float(1, binary16));
  EXPECT_EQ("-inf", to_hex_float(0xfc00, binary16));
  EXPECT_EQ("nan:0x7e2a", to_hex_float(0x7e2a, binary16));
  EXPECT_EQ("0x1.fffffffffffffp+1023", to_hex_float(0x7fefffffffffffff, binary64));
  EXPECT_EQ("0x1.cp+8", to_hex_float(0x7e, float8_e4m3fn));
  EXPECT_EQ("nan:0x80", to_hex_float(0x80, float8_e4m3fnuz));
  EXPECT_EQ("0x1p-127", to_hex_float(0, float8_e8m0fnu));
  EXPECT_EQ("-0x1.8p+2", to_hex_float(0xf, float4_e2m1fn));
  EXPECT_EQ("f", to_hex_bits(0xf, float4_e2m1fn));
  EXPECT_EQ("3f", to_hex_bits(0x3f, float6_e2m3fn));
  EXPECT_EQ("3fc00", to_hex_bits(0x3fc00, tf32));
}

TEST(RoundQuotient, BreaksTies) {
  EXPECT_EQ(0x6800u, round_quotient(2049 * 3, 3, binary16));
  EXPECT_EQ(0x6802u, round_quotient(2051 * 3, 3, binary16));
  EXPECT_EQ(0xe802u, round_quotient(2051 * 3, -3, binary16));
}

TEST(RoundQuotient, TakesEveryForm) {
  const Rational third = Rational(1) / 3;
  EXPECT_EQ(0x4200u, round_quotient(1, third, binary16));
  EXPECT_EQ(0x4200u, round_quotient(third, Rational(1) / 9, binary16));
  EXPECT_EQ(0x3c00u, round_quotient(third, third, binary16));
  EXPECT_EQ(0x4000u, round_quotient(third * 2, third, binary16));
  EXPECT_EQ(0x3800u, round_quotient(third * 3, 2, binary16));
  EXPECT_EQ(0x3555u, round_quotient(third, 1, binary16));
  EXPECT_EQ(0x0000u, round_quotient(0, 3, binary16));
  EXPECT_EQ(0x8000u, round_quotient(0, 3, binary16, true));
  EXPECT_THROW(round_quotient(1, 0, binary16), std::domain_error);
}

// Short forms, long ones, ties, and quotients far below and above every format.
TEST(RoundQuotient, IsRoundToOfTheQuotient) {
  std::mt19937_64 random(19);
  const auto number = [&] {
    const auto significand = static_cast<std::int64_t>(random() >> (1 + random() % 62));
    return Rational::dyadic(random() % 2 == 0 ? significand : -significand,
                            static_cast<int>(random() % 600) - 300);
  };
  for (int i = 0; i < 50'000; ++i) {
    Rational a = number(), b = number();
    if (i % 5 == 1) a = b * static_cast<std::int64_t>(random() % 64) * Rational::power_of_two(-140);
    if (i % 5 == 2) a /= 3;
    if (i % 5 == 3) b = b.abs() * a.abs() + 1;
    if (b.is_zero()) continue;
    for (const NumberFormat* f : {&binary16, &bfloat16, &binary32, &binary64, &float8_e4m3fnuz})
      for (const bool negative_zero : {false, true})
        ASSERT_EQ(round_to(a / b, *f, Rounding::nearest_even, Overflow::standard, negative_zero),
                  round_quotient(a, b, *f, negative_zero))
            << a.to_string() << " / " << b.to_string() << " to " << f->name;
  }
  EXPECT_THROW(round_quotient(1, 0, binary32), std::domain_error);
}

}  // namespace
}  // namespace ampcheck::reference
