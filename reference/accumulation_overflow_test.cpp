// What sums may come to where some order overflows, or where terms are not finite.
#include <gtest/gtest.h>

#include "reference/accumulation_support_test.hpp"
#include "reference/error_bounds.hpp"

namespace ampcheck::reference {
namespace {

// 60000 + 60000 - 60000 is inf or 60000, as it is ordered (golden/innocent/A12).
TEST(Sum, MayOverflowInSomeOrder) {
  const Number x = number(binary16, 60000), minus = number(binary16, -60000);
  const Admissible set = sum(binary16, {x, x, minus});
  EXPECT_TRUE(set.contains(x.bits));
  EXPECT_TRUE(set.contains(binary16.infinity()));
  EXPECT_TRUE(set.contains(binary16.nan()));
  EXPECT_TRUE(set.may_be_finite());
  EXPECT_FALSE(
      sum(binary16, {number(binary16, 32752), number(binary16, 32000)}).may_be_non_finite());
  EXPECT_FALSE(sum(binary32, {x, x, minus}).may_be_non_finite());
  // 32768 + 32752 is the threshold itself.
  EXPECT_TRUE(sum(binary16, {number(binary16, 32768), number(binary16, 32752)}).contains(0x7c00));
  EXPECT_TRUE(sum(binary16, {number(binary16, 32768), number(binary16, 32768)}).contains(0x7c00));
}

// The header's bound: 51200 in four terms may grow by (1 + v)² - 1, to 63209, and 61440 is the
// threshold.
TEST(Sum, MayOverflowAsFarAsItsBoundGoes) {
  const auto terms = [](int sign, const NumberFormat& f, std::vector<double> list) {
    std::vector<Number> numbers;
    for (const double x : list) numbers.push_back(number(f, sign * x));
    return sum(f, numbers);
  };
  const std::vector<double> list{24576, 16384, 8192, 2048};
  EXPECT_TRUE(terms(1, float8_e5m2, list).contains(0x7c));
  EXPECT_FALSE(terms(1, float8_e5m2, list).contains(0xfc));
  EXPECT_FALSE(terms(1, float8_e5m2, list).contains(float8_e5m2.nan()));
  EXPECT_TRUE(terms(-1, float8_e5m2, list).contains(0xfc));
  EXPECT_FALSE(terms(-1, float8_e5m2, list).contains(float8_e5m2.nan()));
  // 434 of 464, and no less than 434·13/16.
  const Admissible up = terms(1, float8_e4m3fn, {240, 112, 56, 26}),
                   down = terms(-1, float8_e4m3fn, {240, 112, 56, 26});
  EXPECT_TRUE(up.contains(0x7f));
  EXPECT_TRUE(down.contains(0x7f));
  EXPECT_EQ(number(float8_e4m3fn, 352).bits, up.lowest());
  EXPECT_EQ(number(float8_e4m3fn, -352).bits, down.highest());
  EXPECT_FALSE(terms(1, binary16, {32768, 16384}).may_be_non_finite());
}

// Partial sums of what cancels: the positive terms may grow by 3/8 where there are five terms, by
// 1/2 where there are six. 61440 is the threshold.
TEST(Sum, MayOverflowBeforeItCancels) {
  const auto may_overflow = [](std::vector<double> list) {
    std::vector<Number> numbers;
    for (const double x : list) numbers.push_back(number(float8_e5m2, x));
    const Admissible set = sum(float8_e5m2, numbers);
    EXPECT_TRUE(set.may_be_finite());
    return set.may_be_non_finite();
  };
  EXPECT_TRUE(may_overflow({24576, 16384, 8192, 2048, -49152}));           // 51200·11/8 is 70400
  EXPECT_FALSE(may_overflow({24576, 16384, 2048, 1024, -40960}));          // 44032·11/8 is 60544
  EXPECT_TRUE(may_overflow({24576, 8192, 8192, -16384, -16384, -8192}));   // 40960·3/2 is 61440
  EXPECT_FALSE(may_overflow({24576, 8192, 7168, -16384, -16384, -7168}));  // 39936·3/2 is 59904
}

// 2^-27 as a product may be rounded to 2^-24, which takes a sum just below 65520 beyond it.
TEST(Sum, MayOverflowByWhatIsRoundedBelowTheSmallestNumber) {
  Sum s(binary16);
  const auto add = [&](const Rational& x) { s.add_product(x, x, Products::exact); };
  add(Rational(65520) - Rational::power_of_two(-26));
  EXPECT_FALSE(s.result({}).may_be_non_finite());
  add(Rational::power_of_two(-27));
  EXPECT_TRUE(s.result({}).contains(0x7c00));
}

// An infinity that meets what may overflow the other way, or may be anything.
TEST(Sum, OfAnInfinityMayBeNaN) {
  const Number inf{&binary16, 0x7c00}, minus = number(binary16, -60000);
  EXPECT_TRUE(sum(binary16, {inf, minus, minus}).contains(0x7e00));
  EXPECT_FALSE(sum(binary16, {inf, minus}).contains(0x7e00));
  const auto with = [&](const Admissible& term) {
    Sum s(binary16);
    s.add(Admissible::of(inf));
    s.add(term);
    return s.result({});
  };
  EXPECT_TRUE(with(Admissible::between(binary16, 0xfc00, 0)).contains(0x7e00));
  Admissible any(binary16);
  any.add_non_finite();
  EXPECT_TRUE(with(any).contains(0x7e00));
}

TEST(Sum, OfWhatMayBeNaNMayBeNaN) {
  Admissible term = Admissible::of(number(binary16, 1));
  term.add_non_finite();
  for (const double sign : {1.0, -1.0}) {
    Sum s(binary16);
    s.add(term.map(binary16, [&](std::uint64_t bits) {
      return Admissible::of(binary16, bits | (sign < 0 ? 0x8000 : 0));
    }));
    for (int i = 0; i < 2; ++i) s.add(Admissible::of(number(binary16, sign * 60000)));
    EXPECT_TRUE(s.result({}).contains(0x7e00));
  }
}

TEST(Sum, OverflowsOfFormatsWithoutInfinityAreNaN) {
  const Number x = number(float8_e4m3fn, 448);
  const Admissible set = sum(float8_e4m3fn, {x, x});
  EXPECT_TRUE(set.contains(0x7f));
}

// A tree of the least exact sum whose computed sum is x, by subtrees of the same kind: small terms
// that are just above half of a unit of what they are added to.
double least_terms(const Machine& m, double x, int depth, std::vector<Number>& terms) {
  const double half = std::ldexp(0.5, std::ilogb(x) - m.format().fraction_bits);
  // Below, subtrees would need subnormal numbers.
  if (depth == 0 || half < 0x1p-12) {
    terms.push_back(number(m.format(), x));
    return x;
  }
  double start = x;
  for (int binades = 0; binades < 8 && start > 0x1p-10; ++binades) start /= 2;
  terms.push_back(number(m.format(), start));
  double running = start;
  while (running < x) {
    const double unit = std::ldexp(1.0, std::ilogb(running) - m.format().fraction_bits);
    // The float that follows half of a unit.
    const double next = unit / 2 * (1 + std::ldexp(1.0, -m.format().fraction_bits));
    running = m.add(running, least_terms(m, next, depth - 1, terms));
  }
  return running;
}

// Rounding up may make a sum four times as large, and so large that it overflows.
TEST(Sum, MayOverflowFarBelowTheThreshold) {
  const Machine m(float8_e5m2);
  std::vector<Number> terms;
  const double computed = least_terms(m, 57344, 4, terms), more = least_terms(m, 4096, 4, terms);
  EXPECT_EQ(HUGE_VAL, m.add(computed, more));
  Rational exact;
  for (const Number& term : terms) exact += value_of(term);
  EXPECT_LT(exact, Rational(16384)) << terms.size();
  EXPECT_TRUE(sum(float8_e5m2, terms).contains(float8_e5m2.infinity()));
}

}  // namespace
}  // namespace ampcheck::reference
