// The fast path's operations give what the exact path gives.
#include "reference/fast_rounding.hpp"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>
#include <vector>

#include "reference/share_test.hpp"

namespace ampcheck::reference {
namespace {

std::vector<const NumberFormat*> supported_formats() {
  std::vector<const NumberFormat*> result;
  for (const NumberFormat& f : kNumberFormats)
    if (fast::is_supported(f)) result.push_back(&f);
  return result;
}

// Random patterns, of which every fourth lies beside a boundary of the format.
std::uint64_t some_pattern(std::mt19937_64& random, const NumberFormat& f) {
  const std::uint64_t bits = random();
  if (bits % 4 != 0) return bits >> (64 - f.width);
  const std::uint64_t boundaries[] = {0, f.min_normal(), f.max_finite(), f.magnitude_mask() / 2};
  const std::uint64_t near = boundaries[(bits >> 8) % 4] + ((bits >> 16) % 9) - 4;
  return (near & f.magnitude_mask()) | ((bits >> 32) & 1 ? f.sign_bit() : 0);
}

std::uint64_t exactly(const Rational& x, const NumberFormat& f, bool negative) {
  return round_to(x, f, Rounding::nearest_even, Overflow::standard, negative);
}

TEST(FastRounding, KnowsEveryFormatWithASignAndAZero) {
  EXPECT_EQ(12u, supported_formats().size());
  EXPECT_THROW(fast::Format{float8_e8m0fnu}, std::invalid_argument);
}

TEST(FastRounding, HasNoPatternOfWhatAFormatLacks) {
  EXPECT_EQ(0u, fast::Format(float4_e2m1fn).nan);
  EXPECT_EQ(0u, fast::Format(float8_e5m2fnuz).negative_zero);
}

TEST(FastRounding, HasOnePatternForEachValue) {
  for (const NumberFormat* f : supported_formats()) {
    const fast::Format fast(*f);
    for (std::uint64_t bits = 0; f->width <= 16 && bits >> f->width == 0; ++bits)
      ASSERT_EQ(f->is_nan(bits)    ? f->nan()
                : f->is_zero(bits) ? 0
                                   : bits,
                fast.canonical(bits))
          << bits << " of " << f->name;
  }
}

TEST(FastRounding, ConvertsEveryPatternOfTheShortFormats) {
  for (const NumberFormat* from : supported_formats())
    for (const NumberFormat* to : supported_formats()) {
      if (from->width > 19) continue;
      const fast::Format a(*from), b(*to);
      for (std::uint64_t bits = 0; bits >> from->width == 0; ++bits) {
        if (from->is_nan(bits) && !to->has_nan()) {
          ASSERT_THROW(fast::converted(bits, a, b), NotRepresentable);
          continue;
        }
        ASSERT_EQ(convert({from, bits}, *to), fast::converted(bits, a, b))
            << bits << " of " << from->name << " to " << to->name;
      }
    }
}

TEST(FastRounding, ConvertsRandomPatternsOfTheLongFormats) {
  std::mt19937_64 random(1);
  for (const NumberFormat* from : {&binary32, &binary64})
    for (const NumberFormat* to : supported_formats()) {
      const fast::Format a(*from), b(*to);
      for (int i = 0; i < 100'000 / kShare; ++i) {
        const std::uint64_t bits = some_pattern(random, *from);
        if (from->is_nan(bits) && !to->has_nan()) continue;
        ASSERT_EQ(convert({from, bits}, *to), fast::converted(bits, a, b))
            << bits << " of " << from->name << " to " << to->name;
      }
    }
}

// Operands and results of one format.
void check_operations(const NumberFormat& f, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  if (!f.is_finite(a) || !f.is_finite(b) || !f.is_finite(c)) return;
  const fast::Format fast(f);
  const Rational x = value_of(a, f), y = value_of(b, f), z = value_of(c, f);
  const bool negative_x = f.is_negative(a), negative_y = f.is_negative(b);
  const fast::Unrounded u = fast::decode(a, fast), v = fast::decode(b, fast),
                        w = fast::decode(c, fast);
  ASSERT_EQ(exactly(x * y, f, negative_x != negative_y), fast::rounded(product(u, v), fast))
      << f.name << " " << a << " · " << b;
  ASSERT_EQ(exactly(x + y, f, negative_x && negative_y), fast::rounded(sum(u, v), fast))
      << f.name << " " << a << " + " << b;
  ASSERT_EQ(exactly(x * y + z, f, (negative_x != negative_y) && f.is_negative(c)),
            fast::rounded(fused(u, v, w), fast))
      << f.name << " " << a << " · " << b << " + " << c;
  if (!f.is_zero(b)) {
    ASSERT_EQ(exactly(x / y, f, negative_x != negative_y), fast::rounded(quotient(u, v), fast))
        << f.name << " " << a << " / " << b;
  }
}

TEST(FastRounding, OperatesOnAllPairsOf8Bits) {
  std::mt19937_64 random(2);
  for (const NumberFormat* f : supported_formats()) {
    if (f->width > 8) continue;
    for (std::uint64_t a = 0; a >> f->width == 0; ++a)
      for (std::uint64_t b = 0; b >> f->width == 0; ++b)
        check_operations(*f, a, b, some_pattern(random, *f));
  }
}

TEST(FastRounding, OperatesOnRandomPatterns) {
  std::mt19937_64 random(3);
  for (const NumberFormat* f : {&binary16, &bfloat16, &tf32, &binary32, &binary64})
    for (int i = 0; i < 100'000 / kShare; ++i) {
      const std::uint64_t a = some_pattern(random, *f), b = some_pattern(random, *f);
      // A third operand that all but cancels the product, else one that is far from it.
      std::uint64_t c = some_pattern(random, *f);
      if (i % 2 == 0 && f->is_finite(a) && f->is_finite(b))
        c = (exactly(value_of(a, *f) * value_of(b, *f), *f, false) ^ f->sign_bit()) + random() % 3;
      check_operations(*f, a, b, c);
    }
}

// 35·eta / 14 is 2.5·eta, half way to 3·eta, and the significand of 35 is the smaller one.
TEST(FastRounding, DividesExactlyBySmallerNumbers) {
  const fast::Format f(binary32);
  const fast::Unrounded dividend = fast::decode(35, f), fourteen = fast::decode(0x41600000, f);
  EXPECT_EQ(2u, fast::rounded(fast::quotient(dividend, fourteen), f));
  EXPECT_EQ(binary32.sign_bit(),
            fast::rounded(fast::quotient(fast::decode(binary32.sign_bit(), f), fourteen), f));
}

// Products half way between two numbers, which the sign of a third far below decides.
TEST(FastRounding, FusesAboutTies) {
  std::mt19937_64 random(5);
  for (const NumberFormat* f : {&bfloat16, &tf32, &binary32, &binary64}) {
    const std::uint64_t half = ~(f->fraction_mask() >> (f->precision() / 2));
    for (int i = 0; i < 50'000 / kShare; ++i)
      check_operations(*f, some_pattern(random, *f) & half, some_pattern(random, *f) & half,
                       some_pattern(random, *f));
  }
}

TEST(FastRounding, TakesRoots) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t n = random() >> (random() % 64);
    // Also perfect squares and their neighbours, and significands of 126 bits.
    const fast::Uint128 wide = i % 3 == 0   ? fast::Uint128{n} * n + random() % 2
                               : i % 3 == 1 ? (fast::Uint128{n} << 62) + random() % 4
                                            : fast::Uint128{n};
    const int exponent = static_cast<int>(random() % 400) - 200;
    if (wide >> 127 != 0) continue;
    const Rational radicand = (Rational::from_unsigned(static_cast<std::uint64_t>(wide >> 64)) *
                                   Rational::power_of_two(64) +
                               Rational::from_unsigned(static_cast<std::uint64_t>(wide))) *
                              Rational::power_of_two(exponent);
    for (const NumberFormat* f : supported_formats())
      ASSERT_EQ(round_to(Exact::square_root(radicand), *f),
                fast::rounded(fast::square_root(wide, exponent), fast::Format(*f)))
          << radicand.to_string() << " to " << f->name;
  }
}

}  // namespace
}  // namespace ampcheck::reference
