// Two oracles that share no code agree: on all inputs of the short formats, at their ties and
// beside them, and on random and boundary inputs of the long ones.
#include "reference/second_oracle.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "reference/rounding.hpp"

namespace ampcheck::reference {
namespace {

constexpr std::size_t kFormats = std::size(kNumberFormats);
static_assert(kFormats == std::size(second::kLayouts));

constexpr std::pair<Rounding, second::Mode> kModes[] = {
    {Rounding::nearest_even, second::Mode::nearest_even},
    {Rounding::nearest_away, second::Mode::nearest_away},
    {Rounding::toward_zero, second::Mode::toward_zero},
    {Rounding::up, second::Mode::up},
    {Rounding::down, second::Mode::down},
};

const second::Layout& layout(std::size_t i) { return second::kLayouts[i]; }

// What a second oracle's value is to the first.
Rational exact(const second::Value& x) {
  Rational result = Rational::from_unsigned(static_cast<std::uint64_t>(x.significand >> 64)) *
                        Rational::power_of_two(64) +
                    Rational::from_unsigned(static_cast<std::uint64_t>(x.significand));
  if (x.more) result += Rational(1) / 3;
  result *= Rational::power_of_two(x.exponent);
  return x.negative ? -result : result;
}

// True where the scale of OCP MX, which has neither sign nor zero, is asked for one.
bool impossible(const second::Value& x, std::size_t to) {
  return second::only_exponent(layout(to)) && (x.negative || x.is_zero());
}

template <typename Function>
bool refused(Function f) {
  try {
    f();
  } catch (const NotRepresentable&) {
    return true;
  }
  return false;
}

// Counts instead of one assertion a pattern, which would take most of the time.
class Agreement {
 public:
  void on(const second::Value& x, std::size_t to) {
    const Rational value = exact(x);
    for (const auto& [mode, other] : kModes)
      for (const bool saturate : {false, true}) one(x, value, to, mode, other, saturate);
  }
  void nearest_only(const second::Value& x, std::size_t to) {
    one(x, exact(x), to, Rounding::nearest_even, second::Mode::nearest_even, false);
  }
  std::int64_t compared() const { return compared_; }
  std::int64_t different() const { return different_; }

 private:
  void one(const second::Value& x, const Rational& value, std::size_t to, Rounding mode,
           second::Mode other, bool saturate) {
    ++compared_;
    const auto round = [&] {
      return round_to(value, kNumberFormats[to], mode,
                      saturate ? Overflow::saturate : Overflow::standard, x.negative);
    };
    if (impossible(x, to) ? refused(round)
                          : round() == second::rounded(x, layout(to), other, saturate))
      return;
    if (++different_ < 5)
      ADD_FAILURE() << value.to_string() << " to " << layout(to).name << " in mode "
                    << static_cast<int>(mode) << (saturate ? ", saturating" : "");
  }

  std::int64_t compared_ = 0, different_ = 0;
};

// x ± a little: below the last of 120 bits.
second::Value just_above(second::Value x) {
  x = second::normalized(x);
  x.more = true;
  return x;
}
second::Value just_below(second::Value x) {
  x = second::normalized(x);
  --x.significand;
  if (second::bit_length(x.significand) < 120) x.significand = x.significand * 2 + 1, --x.exponent;
  x.more = true;
  return x;
}

// The number half way from a finite pattern, sign aside, to the next: also above the largest finite
// one.
second::Value midpoint(std::uint64_t magnitude, const second::Layout& f) {
  second::Value x = second::decode(magnitude, f);
  x.significand = x.significand * 2 + 1;
  --x.exponent;
  return x;
}

// What convert must do with a pattern that is not a number: the pattern, or nothing where it must
// refuse.
std::optional<std::uint64_t> converted(std::uint64_t bits, std::size_t from, std::size_t to,
                                       bool saturate) {
  const second::Value x = second::decode(bits, layout(from));
  if (impossible(x, to) && !(x.kind == second::Kind::infinity && !saturate)) return {};
  return second::converted(bits, layout(from), layout(to), saturate);
}

// The formats of which all patterns can be tried.
class SecondOracleOf : public testing::TestWithParam<std::size_t> {};

std::vector<std::size_t> short_formats() {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < kFormats; ++i)
    if (kNumberFormats[i].width <= 19) result.push_back(i);
  return result;
}

INSTANTIATE_TEST_SUITE_P(, SecondOracleOf, testing::ValuesIn(short_formats()),
                         [](const auto& one) { return std::string(layout(one.param).name); });

TEST_P(SecondOracleOf, ConvertsEveryPattern) {
  const std::size_t from = GetParam();
  const NumberFormat& f = kNumberFormats[from];
  Agreement agreement;
  for (std::uint64_t bits = 0; bits >> f.width == 0; ++bits) {
    const second::Value x = second::decode(bits, layout(from));
    ASSERT_EQ(f.is_nan(bits), x.kind == second::Kind::nan) << bits;
    ASSERT_EQ(f.is_infinite(bits), x.kind == second::Kind::infinity) << bits;
    for (std::size_t to = 0; to < kFormats; ++to) {
      const NumberFormat& t = kNumberFormats[to];
      for (const Overflow overflow : {Overflow::standard, Overflow::saturate}) {
        const auto convert_it = [&] { return convert({&f, bits}, t, overflow); };
        if (x.kind == second::Kind::nan) {
          ASSERT_TRUE(t.has_nan() || to == from ? t.is_nan(convert_it()) : refused(convert_it))
              << bits << " to " << t.name;
          continue;
        }
        const auto wanted = converted(bits, from, to, overflow == Overflow::saturate);
        ASSERT_TRUE(wanted ? convert_it() == *wanted : refused(convert_it))
            << bits << " to " << t.name;
      }
      // Of the many patterns of a longer format each goes to one format in every mode.
      if (x.kind == second::Kind::number && (f.width <= 16 || bits % kFormats == to))
        agreement.on(x, to);
    }
    if (x.kind == second::Kind::number) {
      ASSERT_EQ(exact(x), value_of(bits, f)) << bits;
    }
  }
  EXPECT_EQ(0, agreement.different()) << "of " << agreement.compared();
}

// Every number, the tie above it, and both beside each, of both signs. In the longest of these
// formats the signs take turns, and beside numbers and ties only one mode is tried.
TEST_P(SecondOracleOf, BreaksEveryTie) {
  const std::size_t in = GetParam();
  const second::Layout& f = layout(in);
  const bool all = kNumberFormats[in].width <= 16;
  Agreement agreement;
  for (std::uint64_t magnitude = 0;; ++magnitude) {
    if (magnitude > kNumberFormats[in].magnitude_mask()) break;
    const second::Value number = second::decode(magnitude, f), tie = midpoint(magnitude, f);
    if (number.kind != second::Kind::number) break;
    std::vector<second::Value> values{tie, just_above(tie), just_below(tie)};
    if (magnitude != 0) values.insert(values.end(), {just_above(number), just_below(number)});
    for (second::Value& x : values)
      for (const bool negative : {false, true}) {
        if (!all && negative != (magnitude % 2 == 1)) continue;
        x.negative = negative;
        if (all || !x.more)
          agreement.on(x, in);
        else
          agreement.nearest_only(x, in);
      }
  }
  EXPECT_GT(agreement.compared(), 3 << (kNumberFormats[in].width - 1));
  EXPECT_EQ(0, agreement.different()) << "of " << agreement.compared();
}

// Random patterns of a long format, and patterns beside its boundaries.
std::uint64_t long_pattern(std::mt19937_64& random, const NumberFormat& f) {
  const std::uint64_t bits = random();
  if (bits % 4 != 0) return bits >> (64 - f.width);
  const std::uint64_t boundaries[] = {0, f.min_normal(), f.max_finite(), f.infinity() / 2,
                                      f.max_finite() - f.fraction_mask()};
  const std::uint64_t near = boundaries[(bits >> 8) % 5] + ((bits >> 16) % 9) - 4;
  return (near & f.magnitude_mask()) | (bits >> 32 & 1 ? f.sign_bit() : 0);
}

void check_random(std::size_t in, std::int64_t count) {
  const NumberFormat& f = kNumberFormats[in];
  std::mt19937_64 random(in);
  Agreement agreement;
  while (agreement.compared() < count) {
    const std::uint64_t bits = long_pattern(random, f);
    const second::Value x = second::decode(bits, layout(in));
    if (x.kind != second::Kind::number) continue;
    for (std::size_t to = 0; to < kFormats; ++to) agreement.nearest_only(x, to);
    second::Value tie = midpoint(f.magnitude(bits), layout(in));
    tie.negative = x.negative;
    for (const second::Value& y : {tie, just_above(tie), just_below(tie)}) agreement.on(y, in);
  }
  EXPECT_EQ(0, agreement.different()) << "of " << agreement.compared();
}

TEST(SecondOracle, AgreesOnAMillionOfBinary32) { check_random(2, 1'000'000); }
TEST(SecondOracle, AgreesOnAMillionOfBinary64) { check_random(3, 1'000'000); }

// Significands of up to 63 bits, the longest that the library rounds without GMP, about the
// smallest numbers.
TEST(SecondOracle, AgreesOnLongSignificandsNearZero) {
  std::mt19937_64 random(13);
  Agreement agreement;
  for (std::size_t to = 0; to < kFormats; ++to)
    for (int i = 0; i < 3000; ++i) {
      const int bits = 58 + static_cast<int>(random() % 6);
      const int exponent =
          kNumberFormats[to].min_quantum() - bits + static_cast<int>(random() % 6) - 2;
      const bool negative = random() % 2 == 1 && kNumberFormats[to].is_signed;
      agreement.on({negative, random() >> (64 - bits), exponent}, to);
    }
  EXPECT_EQ(0, agreement.different()) << "of " << agreement.compared();
}

TEST(SecondOracle, AgreesOnRoots) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t n = random() >> (5 + random() % 58) | 1;
    const int exponent = static_cast<int>(random() % 400) - 200;
    const Exact root =
        Exact::square_root(Rational::from_unsigned(n) * Rational::power_of_two(exponent));
    for (std::size_t to = 0; to < kFormats; ++to)
      ASSERT_EQ(second::rounded(second::square_root({false, n, exponent}), layout(to)),
                round_to(root, kNumberFormats[to]))
          << n << "·2^" << exponent << " to " << layout(to).name;
  }
}

// Sums of two and of a product and a third: of random operands, of ones that all but cancel, and of
// ones that are far apart.
TEST(SecondOracle, AgreesOnSums) {
  std::mt19937_64 random(17);
  for (std::size_t in = 0; in < kFormats; ++in) {
    const NumberFormat& f = kNumberFormats[in];
    if (second::only_exponent(layout(in))) continue;
    for (int i = 0; i < 20000; ++i) {
      const std::uint64_t a = long_pattern(random, f), b = long_pattern(random, f);
      std::uint64_t c = long_pattern(random, f);
      if (!f.is_finite(a) || !f.is_finite(b)) continue;
      const Rational x = value_of(a, f), y = value_of(b, f);
      if (i % 2 == 0) c = (round_to(x * y, f) ^ f.sign_bit()) + random() % 3;
      if (!f.holds(c) || !f.is_finite(c)) continue;
      const Rational z = value_of(c, f);
      const second::Value u = second::decode(a, layout(in)), v = second::decode(b, layout(in)),
                          w = second::decode(c, layout(in));
      const bool minus = f.is_negative(a) != f.is_negative(b) && f.is_negative(c);
      ASSERT_EQ(round_to(x * y + z, f, Rounding::nearest_even, Overflow::standard, minus),
                second::rounded(second::fused(u, v, w), layout(in)))
          << f.name << " " << a << " · " << b << " + " << c;
      ASSERT_EQ(round_to(x + z, f, Rounding::nearest_even, Overflow::standard,
                         f.is_negative(a) && f.is_negative(c)),
                second::rounded(second::sum(u, w), layout(in)))
          << f.name << " " << a << " + " << c;
    }
  }
}

}  // namespace
}  // namespace ampcheck::reference
