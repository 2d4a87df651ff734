#include "reference/fast_nearest.hpp"

#include <gtest/gtest.h>

namespace ampcheck::reference::fast {
namespace {

using Answer = Nearest::Answer;

// 1.0010000011000100100111b, which no power of two divides.
constexpr std::uint64_t kIrregular = 0x9062700000000000 >> 1;
constexpr std::uint64_t kOne = std::uint64_t{1} << 62;

// x·factor/divisor·2^exponent, exactly.
Rational exactly(std::uint64_t x, const NumberFormat& f, std::uint64_t factor,
                 std::uint64_t divisor, int exponent) {
  const Rational value = value_of(x, f) * Rational::power_of_two(exponent);
  return divisor == 0
             ? value * Rational(static_cast<std::int64_t>(factor)) * Rational::power_of_two(-62)
             : value / Rational(static_cast<std::int64_t>(divisor)) * Rational::power_of_two(62);
}

struct Count {
  std::int64_t yes = 0, no = 0, unsure = 0;
};

// Every x and every r of two formats against the rounding of the exact path.
Count check_all(const NumberFormat& f, const NumberFormat& output, std::uint64_t factor,
                std::uint64_t divisor, int exponent) {
  const Format x_format(f), r_format(output);
  const auto nearest =
      Nearest::make(x_format, r_format, factor, divisor, exponent, nullptr).value();
  Count count;
  for (std::uint64_t x = 0; x >> f.width == 0; ++x) {
    const bool is_number = f.is_finite(x) && !f.is_zero(x);
    const std::uint64_t right =
        is_number ? r_format.canonical(round_to(exactly(x, f, factor, divisor, exponent), output))
                  : 0;
    for (std::uint64_t r = 0; r >> output.width == 0; ++r) {
      const Answer answer = nearest(x, r);
      if (answer == Answer::unsure) {
        count.unsure += is_number && r_format.canonical(r) == right ? 1 : 0;
        continue;
      }
      EXPECT_TRUE(is_number);
      EXPECT_EQ(r_format.canonical(r) == right, answer == Answer::yes)
          << to_string({&f, x}) << " " << to_string({&output, r}) << " exponent " << exponent;
      ++(answer == Answer::yes ? count.yes : count.no);
    }
  }
  return count;
}

TEST(Nearest, AnswersAsRoundingDoes) {
  Count all;
  for (const NumberFormat* f : {&float8_e4m3fn, &float8_e5m2, &float8_e4m3fnuz, &float8_e5m2fnuz})
    for (const NumberFormat* output : {f, &float8_e4m3fn, &float8_e5m2fnuz})
      for (int exponent = -40; exponent <= 40; exponent += 3)
        for (const auto& [factor, divisor] :
             {std::pair{kIrregular, std::uint64_t{0}}, {std::uint64_t{0}, kIrregular}, {kOne, 0}}) {
          const Count one = check_all(*f, *output, factor, divisor, exponent);
          all.yes += one.yes;
          all.no += one.no;
          all.unsure += one.unsure;
        }
  EXPECT_GT(all.yes, 50'000);
  EXPECT_GT(all.no, 10 * all.yes);
}

// What is left open are powers of two, ties, and subnormal x: fewer than half of the right answers
// here, where the significands of r have four bits.
TEST(Nearest, IsSeldomUnsure) {
  const Count count = check_all(float8_e4m3fn, float8_e4m3fn, 0, kIrregular, 1);
  EXPECT_LT(2 * count.unsure, count.yes);
}

// Half way between 1 and 1 + 2^-10 of binary16, and what lies half a unit of binary32 beside it.
TEST(Nearest, LeavesOpenWhatIsRoundedTwice) {
  const Format x(binary32), r(binary16), w(binary32);
  const auto answer = [&](int units_beside) {
    const auto nearest = Nearest::make(x, r, kOne, 0, 0, &w).value();
    return nearest(0x3f800000 + 0x3000 + static_cast<std::uint64_t>(units_beside), 0x3c01);
  };
  EXPECT_EQ(Answer::unsure, answer(0));
  EXPECT_EQ(Answer::yes, answer(-1));
  EXPECT_EQ(Answer::no, answer(1));
}

TEST(Nearest, AnswersAtTheEndsOfItsRange) {
  const Format f(float8_e4m3fn);
  EXPECT_EQ(Answer::yes, Nearest::make(f, f, kOne, 0, 0, nullptr).value()(0x7e, 0x7e));  // 448
  // 1·2^-40 beside 2^-6: with B = 2^23 and four bits of R, 2^34 is as far apart as fits.
  EXPECT_EQ(Answer::no, Nearest::make(f, f, kOne, 0, -40, nullptr).value()(0x38, 0x08));
  EXPECT_EQ(Answer::unsure, Nearest::make(f, f, kOne, 0, -41, nullptr).value()(0x38, 0x08));
}

TEST(Nearest, LeavesLongNumbersToOthers) {
  const Format f(binary32), wide(binary64), narrow(binary16), other(bfloat16);
  EXPECT_TRUE(Nearest::make(f, f, kIrregular, 0, 0, nullptr));
  EXPECT_FALSE(Nearest::make(f, f, kIrregular | 1, 0, 0, nullptr));
  EXPECT_FALSE(Nearest::make(f, f, 5, kIrregular | 1, 0, nullptr));
  EXPECT_TRUE(Nearest::make(f, f, kIrregular | 1, kIrregular, 0, nullptr));  // the divisor counts
  EXPECT_FALSE(Nearest::make(wide, f, kOne, 0, 0, nullptr));
  EXPECT_FALSE(Nearest::make(f, wide, kOne, 0, 0, nullptr));
  EXPECT_TRUE(Nearest::make(f, other, kOne, 0, 0, &f));
  EXPECT_FALSE(Nearest::make(f, f, kOne, 0, 0, &f));
  EXPECT_FALSE(Nearest::make(f, other, kOne, 0, 0, &narrow));  // which has not its range
  // Nor this one's, from below: 2^-15 is normal there.
  EXPECT_FALSE(Nearest::make(f, Format(float8_e5m2fnuz), kOne, 0, 0, &narrow));
}

}  // namespace
}  // namespace ampcheck::reference::fast
