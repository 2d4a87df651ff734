#include "reference/root.hpp"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <bit>
#include <cmath>
#include <random>

#include "reference/rounding.hpp"

namespace ampcheck::reference {
namespace {

TEST(Root, LiesBetweenTheIntegersWhosePowersDo) {
  for (const int p : {3, 4, 7})
    for (std::int64_t n = 1, below = 1; n < 3000; ++n) {
      const auto power = [&](std::int64_t base) {
        std::int64_t result = 1;
        for (int i = 0; i < p; ++i) result *= base;
        return result;
      };
      while (power(below + 1) <= n) ++below;
      const Root x(n, p);
      ASSERT_EQ(power(below) == n, x.compare(below) == 0) << n << " " << p;
      ASSERT_TRUE(x.compare(below) >= 0) << n << " " << p;
      ASSERT_TRUE(x.compare(below + 1) < 0) << n << " " << p;
      ASSERT_TRUE(x.compare(-below) > 0) << n << " " << p;
    }
}

TEST(Root, OfAPowerIsARational) {
  const Rational base = Rational(27) / 10;
  Rational power = base;
  for (int p = 2; p < 40; ++p) {
    power *= base;
    EXPECT_TRUE(Root(power, p).compare(base) == 0);
    EXPECT_TRUE(Root(power, p).compare(base + Rational::power_of_two(-400)) < 0);
    EXPECT_TRUE(Root(power, p).compare(base - Rational::power_of_two(-400)) > 0);
  }
}

TEST(Root, OfZeroIsZero) {
  const Root zero(0, 3);
  EXPECT_EQ(0, zero.sign());
  EXPECT_TRUE(zero.compare(Rational::power_of_two(-3000)) < 0);
  EXPECT_TRUE(zero.compare(-1) > 0);
  EXPECT_EQ(1, Root(2, 3).sign());
  EXPECT_EQ(0u, round_to(zero, binary16));
  EXPECT_THROW(round_to(zero, float8_e8m0fnu), NotRepresentable);
}

TEST(Root, RefusesWhatIsNoRoot) {
  EXPECT_THROW(Root(-1, 3), std::domain_error);
  EXPECT_THROW(Root(2, 1), std::domain_error);
  EXPECT_EQ("(2/3)^(1/7)", Root(Rational(2) / 3, 7).to_string());
}

TEST(Root, ComparesWithOtherRoots) {
  EXPECT_LT(Root(2, 2), Root(3, 3));  // 8 < 9
  EXPECT_LT(Root(5, 5), Root(2, 2));  // 25 < 32
  EXPECT_EQ(Root(2, 2), Root(4, 4));
  EXPECT_EQ(Root(8, 6), Root(4, 4));
  EXPECT_GT(Root(Rational(1) / 2, 7), Root(Rational(1) / 2, 4));
}

// Powers so large that only their binades may be looked at.
TEST(Root, OfAHighDegreeIsCheap) {
  const Root x(3, 1 << 30);  // 1 + 2^-30·ln 3
  EXPECT_TRUE(x.compare(2) < 0);
  EXPECT_TRUE(x.compare(Rational(1) / 2) > 0);
  EXPECT_TRUE(x.compare(1) > 0);
}

TEST(Root, OfDegreeTwoRoundsAsTheSquareRootDoes) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 2000; ++i) {
    const Rational q = Rational::dyadic(static_cast<std::int64_t>(random() >> 20),
                                        static_cast<int>(random() % 300) - 150);
    for (const NumberFormat& f : kNumberFormats)
      for (const Rounding mode : {Rounding::nearest_even, Rounding::down, Rounding::up}) {
        if (q.is_zero()) continue;
        ASSERT_EQ(round_to(Exact::square_root(q), f, mode), round_to(Root(q, 2), f, mode))
            << q.to_string() << " to " << f.name;
      }
  }
}

// Numbers and midpoints are hit exactly, and missed by a little from either side.
TEST(Root, RoundsWhatLiesOnTies) {
  for (const int p : {3, 4, 7})
    for (std::uint64_t bits = 0x3c00; bits < 0x3c40; ++bits) {
      const Rational number = value_of(bits, binary16);
      const Rational tie = (number + value_of(bits + 1, binary16)) / 2;
      const auto to_the_p = [&](const Rational& x) {
        Rational result = 1;
        for (int i = 0; i < p; ++i) result *= x;
        return result;
      };
      const Rational little = Rational::power_of_two(-900);
      ASSERT_EQ(bits, round_to(Root(to_the_p(number), p), binary16, Rounding::up));
      ASSERT_EQ(bits + 1, round_to(Root(to_the_p(number) + little, p), binary16, Rounding::up));
      ASSERT_EQ(bits + bits % 2, round_to(Root(to_the_p(tie), p), binary16));
      ASSERT_EQ(bits + 1, round_to(Root(to_the_p(tie) + little, p), binary16));
      ASSERT_EQ(bits, round_to(Root(to_the_p(tie) - little, p), binary16));
    }
}

// mpfr_rootn_ui rounds correctly.
TEST(Root, RoundsAsMpfrDoes) {
  std::mt19937_64 random(11);
  mpfr_t x, y;
  mpfr_init2(x, 53);
  mpfr_init2(y, 24);
  for (int i = 0; i < 20000; ++i) {
    const int p = 3 + static_cast<int>(random() % 6);
    const double q =
        std::ldexp(static_cast<double>(random() >> 11 | 1), static_cast<int>(random() % 200) - 150);
    mpfr_set_d(x, q, MPFR_RNDN);
    mpfr_rootn_ui(y, x, static_cast<unsigned long>(p), MPFR_RNDN);
    ASSERT_EQ(std::bit_cast<std::uint32_t>(mpfr_get_flt(y, MPFR_RNDN)),
              round_to(Root(value_of(std::bit_cast<std::uint64_t>(q), binary64), p), binary32))
        << q << " " << p;
  }
  mpfr_clear(x);
  mpfr_clear(y);
}

}  // namespace
}  // namespace ampcheck::reference
