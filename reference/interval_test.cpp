#include "reference/interval.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace ampcheck::reference {
namespace {

TEST(Interval, HoldsEveryResultOfItsNumbers) {
  const Interval a(-2, 3), b(4, 5);
  EXPECT_EQ(Interval(2, 8), a + b);
  EXPECT_EQ(Interval(-7, -1), a - b);
  EXPECT_EQ(Interval(-10, 15), a * b);
  EXPECT_EQ(Interval(Rational(-1) / 2, Rational(3) / 4), a / b);
  EXPECT_EQ(Interval(-6, 9), a * a);
  EXPECT_EQ(Interval(-2, 5), hull(a, b));
  EXPECT_EQ(Rational(3), a.magnitude());
  EXPECT_EQ(Rational(4), Interval(-4, 3).magnitude());
  EXPECT_FALSE(a.is_point());
  EXPECT_TRUE(Interval(Rational(7)).is_point());
}

TEST(Interval, HasNoQuotientByWhatIsNotPositive) {
  for (const Interval& divisor : {Interval(-1, 1), Interval(0, 1), Interval(-2, -1)})
    EXPECT_THROW(Interval(1) / divisor, std::domain_error);
}

TEST(Interval, OfLongNumbersIsShortened) {
  const Interval third = shortened(Rational(-1) / 3);
  EXPECT_LT(third.low, Rational(-1) / 3);
  EXPECT_GT(third.high, Rational(-1) / 3);
  EXPECT_LE(third.high - third.low, Rational::power_of_two(-256));
  const Rational short_one = Rational::power_of_two(255) + 1, long_one = short_one * 2 + 1;
  EXPECT_EQ(Interval(short_one), shortened(short_one));
  EXPECT_EQ(Interval(long_one - 1, long_one + 1), shortened(long_one));
  EXPECT_EQ(Interval(0), shortened(Rational(0)));
}

TEST(Interval, EnclosesSquareRoots) {
  EXPECT_EQ(Interval(Rational(3) / 4), square_root(Rational(9) / 16));
  EXPECT_EQ(Interval(0, 2), square_root({-1, 4}));
  for (const int exponent : {-301, -2, -1, 0, 1, 300}) {
    const Rational x = Rational(7) / 3 * Rational::power_of_two(exponent);
    const Interval root = square_root(x);
    EXPECT_LT(root.low * root.low, x);
    EXPECT_GT(root.high * root.high, x);
    EXPECT_LE((root.high - root.low) / root.low, Rational::power_of_two(-126));
  }
}

}  // namespace
}  // namespace ampcheck::reference
