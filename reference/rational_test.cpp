#include "reference/rational.hpp"

#include <gmp.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ampcheck::reference {
namespace {

Rational half(std::int64_t n) { return Rational(n) / 2; }

TEST(Rational, CalculatesInLowestTerms) {
  EXPECT_EQ("33/16", (Rational(99) / 48).to_string());
  EXPECT_EQ("-1/3", (Rational(1) / -3).to_string());
  EXPECT_EQ("5/6", (half(1) + Rational(1) / 3).to_string());
  EXPECT_EQ("1/6", (half(1) - Rational(1) / 3).to_string());
  EXPECT_EQ("3/2", (half(1) * 3).to_string());
  EXPECT_EQ("-7", (-Rational(7)).to_string());
  EXPECT_TRUE(Rational().is_zero());
  EXPECT_THROW(Rational(1) / 0, std::domain_error);
}

TEST(Rational, TakesTheWholeRangeOfIntegers) {
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ("-9223372036854775808", Rational(least).to_string());
  EXPECT_EQ("18446744073709551615",
            Rational::from_unsigned(std::numeric_limits<std::uint64_t>::max()).to_string());
}

TEST(Rational, IsAValue) {
  Rational a = half(3);
  Rational b(a);
  b += 1;
  EXPECT_EQ(half(3), a);
  Rational c(std::move(b));
  EXPECT_EQ(half(5), c);
  a = std::move(c);
  EXPECT_EQ(half(5), a);
  const Rational& same = a;
  a = same;
  a += a;
  EXPECT_EQ(Rational(5), a);
}

TEST(Rational, Compares) {
  EXPECT_LT(Rational(-1), Rational(0));
  EXPECT_LT(Rational(1) / 3, Rational(334) / 1000);
  EXPECT_GT(Rational(1) / 3, Rational(333) / 1000);
  EXPECT_EQ(-1, half(-1).sign());
  EXPECT_EQ(0, half(0).sign());
  EXPECT_EQ(1, half(1).sign());
  EXPECT_EQ(half(1), half(-1).abs());
  EXPECT_EQ(Rational(2), max(1, 2));
  EXPECT_EQ(Rational(1), min(1, 2));
}

TEST(Rational, TakesLogarithmsOfEitherSideOfEachPowerOfTwo) {
  for (const int e : {-1200, -149, -1, 0, 1, 64, 1024}) {
    const Rational power = Rational::power_of_two(e), little = power / 1'000'000'007;
    EXPECT_EQ(e, power.floor_log2());
    EXPECT_EQ(e, (power + little).floor_log2());
    EXPECT_EQ(e - 1, (power - little).floor_log2());
    EXPECT_EQ(e, (-power).floor_log2());
    EXPECT_TRUE(power.is_power_of_two());
    EXPECT_FALSE((-power).is_power_of_two());
    EXPECT_FALSE((power * 3).is_power_of_two());
  }
  EXPECT_FALSE(Rational(0).is_power_of_two());
  // Beyond the exponents of the short form.
  constexpr int kFar = (1 << 24) + 1;
  EXPECT_EQ(kFar, Rational::power_of_two(kFar).floor_log2());
  EXPECT_EQ(-kFar, Rational::power_of_two(-kFar).floor_log2());
}

// GMP by itself, from text to text.
std::string by_gmp(const std::string& a, char operation, const std::string& b) {
  mpq_t x, y;
  mpq_inits(x, y, nullptr);
  mpq_set_str(x, a.c_str(), 10);
  mpq_set_str(y, b.c_str(), 10);
  int order = 0;
  switch (operation) {
    case '+':
      mpq_add(x, x, y);
      break;
    case '-':
      mpq_sub(x, x, y);
      break;
    case '*':
      mpq_mul(x, x, y);
      break;
    case '/':
      mpq_div(x, x, y);
      break;
    default:
      order = mpq_cmp(x, y);
  }
  char* text = mpq_get_str(nullptr, 10, x);
  const std::string result = operation == '?' ? std::to_string((order > 0) - (order < 0)) : text;
  void (*release)(void*, std::size_t) = nullptr;
  mp_get_memory_functions(nullptr, nullptr, &release);
  release(text, std::char_traits<char>::length(text) + 1);
  mpq_clears(x, y, nullptr);
  return result;
}

// Significands around 63 bits, where the form changes, exponents that align them or not, and
// fractions.
std::vector<Rational> numbers_of_every_form() {
  std::mt19937_64 random(5);
  std::vector<Rational> numbers{0, 1, -1, std::numeric_limits<std::int64_t>::min(),
                                std::numeric_limits<std::int64_t>::max()};
  for (const int bits : {1, 2, 11, 24, 53, 61, 62, 63})
    for (const int exponent : {-1074, -64, -63, -1, 0, 1, 62, 63, 64, 900}) {
      const auto significand = static_cast<std::int64_t>((random() >> (64 - bits)) | 1);
      numbers.push_back(Rational::dyadic(random() % 2 ? significand : -significand, exponent));
    }
  const std::size_t dyadic = numbers.size();
  for (std::size_t i = 0; i < 10; ++i) numbers.push_back(numbers[random() % dyadic] / 3);
  return numbers;
}

TEST(Rational, AgreesWithGmpInEveryForm) {
  const std::vector<Rational> numbers = numbers_of_every_form();
  for (const Rational& a : numbers)
    for (const Rational& b : numbers) {
      const std::string x = a.to_string(), y = b.to_string();
      ASSERT_EQ(by_gmp(x, '+', y), (a + b).to_string());
      ASSERT_EQ(by_gmp(x, '-', y), (a - b).to_string());
      ASSERT_EQ(by_gmp(x, '*', y), (a * b).to_string());
      if (!b.is_zero()) {
        ASSERT_EQ(by_gmp(x, '/', y), (a / b).to_string());
      }
      ASSERT_EQ(by_gmp(x, '?', y), std::to_string((a > b) - (a < b)));
      ASSERT_EQ(x == y, a == b);
      // Equal numbers have equal forms, however they came about.
      ASSERT_EQ(a, a + b - b);
      if (!b.is_zero()) {
        ASSERT_EQ(a, a * b / b);
      }
    }
}

TEST(Rational, KnowsItsLastPlace) {
  EXPECT_EQ(0, Rational(1).trailing_exponent());
  EXPECT_EQ(3, Rational(-24).trailing_exponent());
  EXPECT_EQ(-4, (Rational(33) / 16).trailing_exponent());
  EXPECT_TRUE((Rational(33) / 16).is_dyadic());
  EXPECT_FALSE((Rational(1) / 3).is_dyadic());
  const Rational longer = Rational::power_of_two(70) + 1;  // than 63 bits
  EXPECT_TRUE(longer.is_dyadic());
  EXPECT_EQ(0, longer.trailing_exponent());
  EXPECT_EQ(3, (longer * -8).trailing_exponent());
  EXPECT_EQ(-5, (longer / 32).trailing_exponent());
}

TEST(Rational, FindsRoots) {
  Rational root;
  EXPECT_TRUE((Rational(9) / 16).is_square(&root));
  EXPECT_EQ(Rational(3) / 4, root);
  EXPECT_TRUE(Rational(0).is_square(&root));
  EXPECT_TRUE(root.is_zero());
  EXPECT_FALSE((Rational(9) / 8).is_square(&root));
  EXPECT_FALSE(Rational(2).is_square(&root));
  EXPECT_FALSE(Rational(-4).is_square(&root));
  // 8/2 is a square although 8 and 2 are none.
  EXPECT_TRUE((Rational(8) / 2).is_square(&root));
}

}  // namespace
}  // namespace ampcheck::reference
