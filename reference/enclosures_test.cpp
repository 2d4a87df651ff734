#include "reference/enclosures.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace ampcheck::reference {
namespace {

TEST(Enclosures, HoldExactCasesAndLittleElse) {
  EXPECT_EQ(Rational(1), exp_enclosure(0).low);
  EXPECT_EQ(Rational(1), exp_enclosure(0).high);
  EXPECT_EQ(Rational(0), log_enclosure(1).low);
  EXPECT_EQ(Rational(0), log_enclosure(1).high);
  for (const std::int64_t q : {-100, -1, 1, 100}) {
    const Interval x = exp_enclosure(q);
    EXPECT_LT(x.low, x.high);
    EXPECT_LE(x.high - x.low, x.high * Rational::power_of_two(-250));
    // log(exp(q)) is q.
    EXPECT_LE(log_enclosure(x.low).low, Rational(q));
    EXPECT_GE(log_enclosure(x.high).high, Rational(q));
  }
}

// exp(-4096) is about 2^-5909.
TEST(Enclosures, OfWhatIsBelowEveryFormatAreCoarse) {
  EXPECT_EQ(Rational(0), exp_enclosure(-4096).low);
  EXPECT_EQ(Rational::power_of_two(-5000), exp_enclosure(-4096).high);
  EXPECT_GT(exp_enclosure(-4095).low, Rational(0));
}

TEST(Enclosures, RefuseLogarithmsOfWhatIsNotPositive) {
  EXPECT_THROW(log_enclosure(0), std::domain_error);
  EXPECT_THROW(log_enclosure(-1), std::domain_error);
}

}  // namespace
}  // namespace ampcheck::reference
