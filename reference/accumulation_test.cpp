#include "reference/accumulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "reference/emulation_test.hpp"

namespace ampcheck::reference {
namespace {

Admissible sum(const NumberFormat& f, const std::vector<Number>& terms, const Policy& policy = {}) {
  Sum result(f);
  for (const Number& term : terms) result.add(Admissible::of(term));
  return result.result(policy);
}

Policy flushing() {
  Policy policy;
  policy.may_flush = true;
  return policy;
}

// Every value that an order and association of the terms can give, subset by subset. With `flush`,
// any operand and any result below the smallest normal number may be zero.
std::set<double> every_sum(const Machine& machine, const std::vector<double>& terms, bool flush) {
  const double smallest = std::ldexp(1.0, machine.format().min_exponent());
  const auto variants = [&](double x) {
    std::set<double> result{x};
    if (flush && std::fabs(x) < smallest) result.insert(0);
    return result;
  };
  std::vector<std::set<double>> of(std::size_t{1} << terms.size());
  for (std::size_t subset = 1; subset < of.size(); ++subset) {
    if ((subset & (subset - 1)) == 0) {
      of[subset] = variants(terms[static_cast<std::size_t>(std::countr_zero(subset))]);
      continue;
    }
    for (std::size_t left = (subset - 1) & subset; left != 0; left = (left - 1) & subset) {
      if (left < (subset ^ left)) continue;  // addition commutes
      for (const double a : of[left])
        for (const double b : of[subset ^ left]) of[subset].merge(variants(machine.add(a, b)));
    }
  }
  return of.back();
}

// How far a computed sum went, of what the bound allows.
double reach(const Admissible& set, const Rational& exact, double computed) {
  const Rational room = max(value_of(set.highest(), set.format()) - exact,
                            exact - value_of(set.lowest(), set.format()));
  if (room.is_zero()) return 0;
  const Rational went = (rational(computed) - exact).abs() / room;
  return as_double({&binary64, round_to(went, binary64)});
}

double check_trees(const NumberFormat& f, std::uint64_t seed, int exponents, bool flush,
                   int lowest) {
  const Machine machine(f);
  std::mt19937_64 random(seed);
  double worst = 0;
  for (int i = 0; i < 400; ++i) {
    const std::size_t n = 2 + random() % 5;
    std::vector<double> terms;
    std::vector<Number> numbers;
    Rational exact;
    for (std::size_t t = 0; t < n; ++t) {
      const double significand = static_cast<double>(random() % (2u << f.fraction_bits)) + 1;
      const int exponent = lowest + static_cast<int>(random() % static_cast<unsigned>(exponents));
      terms.push_back(machine.narrow((random() % 2 ? -1 : 1) * std::ldexp(significand, exponent)));
      numbers.push_back(number(f, terms.back()));
      exact += rational(terms.back());
    }
    const Admissible set = sum(f, numbers, flush ? flushing() : Policy());
    for (const double x : every_sum(machine, terms, flush)) {
      EXPECT_TRUE(set.contains(machine.bits(x))) << x << " not in " << set.to_string();
      worst = std::max(worst, reach(set, exact, x));
    }
    EXPECT_TRUE(set.contains(round_to(exact, f)));
  }
  return worst;
}

TEST(Sum, HoldsEveryOrderAndTreeInBinary16) {
  EXPECT_GE(check_trees(binary16, 1, 6, false, -12), 0.5);
}
TEST(Sum, HoldsEveryOrderAndTreeInBfloat16) {
  EXPECT_GE(check_trees(bfloat16, 2, 6, false, -12), 0.5);
}
TEST(Sum, HoldsEveryOrderAndTreeOfSubnormals) {
  EXPECT_GE(check_trees(binary16, 3, 3, false, -24), 0.3);
}
TEST(Sum, HoldsEveryFlushedSum) {
  EXPECT_GE(check_trees(binary16, 4, 4, true, -24), 0.5);
  EXPECT_GE(check_trees(bfloat16, 5, 6, true, -133), 0.5);
}
TEST(Sum, HoldsSumsOfManyTermsInABadOrder) {
  // 1, then u at a time: every addition is a tie that goes down.
  const Machine machine(binary16);
  std::vector<Number> terms{number(binary16, 1)};
  double running = 1;
  for (int i = 0; i < 200; ++i) {
    terms.push_back(number(binary16, 0x1p-11));
    running = machine.add(running, 0x1p-11);
  }
  EXPECT_EQ(1, running);
  const Admissible set = sum(binary16, terms);
  EXPECT_TRUE(set.contains(machine.bits(running)));
  EXPECT_GE(reach(set, Rational(1) + Rational(200) / 2048, running), 0.8);
}

TEST(Sum, IsOnePatternWhereNothingRounds) {
  // Sum of magnitudes 2047 quanta, in every order.
  const std::vector<Number> terms{number(binary16, 1024), number(binary16, -1000),
                                  number(binary16, 23)};
  const Admissible set = sum(binary16, terms);
  ASSERT_TRUE(set.is_single());
  EXPECT_EQ(number(binary16, 47).bits, set.single());
  // 2050 quanta: 1024 + 1025 would round.
  const Number thousand = number(binary16, 1024), more = number(binary16, 1025);
  EXPECT_FALSE(sum(binary16, {thousand, more, number(binary16, 1)}).is_single());
  EXPECT_TRUE(sum(binary32, {number(binary16, 60000), number(binary16, 60000)}).is_single());
  EXPECT_TRUE(sum(binary16, {number(binary16, 0), number(binary16, -0.0)}).is_single());
  EXPECT_EQ(0u, sum(binary16, {}).single());
}

// There is one addition, whatever the order: zeros do not round.
TEST(Sum, OfTwoTermsIsTheirRoundedSum) {
  const Number thousand = number(binary16, 1024), more = number(binary16, 1025.0 + 1),
               zero = number(binary16, 0);
  EXPECT_EQ(number(binary16, 2050).bits, sum(binary16, {thousand, more}).single());
  const Number third{&binary16, 0x3555}, tiny{&binary16, 1};
  const Admissible set = sum(binary16, {zero, third, zero, tiny, zero});
  EXPECT_EQ(0x3555u, set.single());
  const Number large = number(binary16, 32752);
  EXPECT_EQ(number(binary16, 65504).bits, sum(binary16, {large, large}).single());
}

TEST(Sum, OfOneTermIsTheTerm) {
  EXPECT_EQ(0x3555u, sum(binary16, {{&binary16, 0x3555}}).single());
  EXPECT_EQ(0x7bffu, sum(binary16, {{&binary16, 0x7bff}}).single());
  Sum one(binary16);
  one.add(Admissible::between(binary16, 0x3555, 0x3557));
  EXPECT_EQ("[3555 = 0x1.554p-2 … 3557 = 0x1.55cp-2]", one.result({}).to_string());
}

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
  EXPECT_TRUE(sum(binary16, {number(binary16, 32768), number(binary16, 32768)}).contains(0x7c00));
}

TEST(Sum, OverflowsOfFormatsWithoutInfinityAreNaN) {
  const Number x = number(float8_e4m3fn, 448);
  const Admissible set = sum(float8_e4m3fn, {x, x});
  EXPECT_TRUE(set.contains(0x7f));
}

TEST(Sum, PassesOnWhatIsNotFinite) {
  const Number one = number(binary16, 1), inf{&binary16, 0x7c00}, minus{&binary16, 0xfc00};
  EXPECT_EQ(0x7c00u, sum(binary16, {one, inf, inf}).single());
  EXPECT_FALSE(sum(binary16, {inf, minus}).has_ends());
  EXPECT_FALSE(sum(binary16, {one, {&binary16, 0x7e01}}).has_ends());
  // inf or NaN, nobody knows which.
  Admissible either = Admissible::of(inf);
  either.add(binary16.nan());
  Sum open(binary16);
  open.add(Admissible::of(one));
  open.add(either);
  EXPECT_TRUE(open.result({}).contains(0x7c00));
  EXPECT_TRUE(open.result({}).contains(0x7e00));
  EXPECT_FALSE(open.result({}).may_be_finite());
  // Perhaps finite.
  Sum perhaps(binary16);
  perhaps.add(Admissible::between(binary16, 0x7bff, 0x7c00));
  EXPECT_TRUE(perhaps.result({}).contains(0x7bff));
  EXPECT_TRUE(perhaps.result({}).contains(0x7c00));
}

TEST(Sum, HoldsEverySumOfIntervalTerms) {
  const Machine machine(bfloat16);
  std::mt19937_64 random(9);
  for (int i = 0; i < 200; ++i) {
    Sum s(bfloat16);
    std::vector<std::vector<double>> choices;
    for (int t = 0; t < 3; ++t) {
      const std::uint64_t low = (random() % 0x100) + 0x3f00, high = low + random() % 3;
      const std::uint64_t sign = random() % 2 ? 0x8000 : 0;
      s.add(Admissible::between(bfloat16, low | sign, high | sign));
      choices.emplace_back();
      for (std::uint64_t bits = low; bits <= high; ++bits)
        choices.back().push_back(as_double({&bfloat16, bits | sign}));
    }
    const Admissible set = s.result({});
    for (const double a : choices[0])
      for (const double b : choices[1])
        for (const double c : choices[2])
          for (const double x : every_sum(machine, {a, b, c}, false))
            ASSERT_TRUE(set.contains(machine.bits(x))) << x << " not in " << set.to_string();
  }
}

// What is flushed takes away from the sum's own side of zero, and nothing is left below it.
TEST(Sum, FlushesTowardsZero) {
  const Number tiny{&binary16, 0x0155}, minus{&binary16, 0x8155};
  EXPECT_THAT(sum(binary16, {tiny}, flushing()).patterns(), testing::ElementsAre(0, 0x155));
  const Admissible up = sum(binary16, {tiny, tiny, tiny}, flushing());
  EXPECT_EQ(0u, up.lowest());
  EXPECT_EQ(0x3ffu, up.highest());
  const Admissible down = sum(binary16, {minus, minus, minus}, flushing());
  EXPECT_EQ(0x83ffu, down.lowest());
  EXPECT_EQ(0u, down.highest());
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

// Normal terms whose partial sum is subnormal: 1.5 - 1 and then 1.25, all in units of 2^-126.
TEST(Sum, MayFlushWhatCancels) {
  const std::vector<Number> terms{number(binary32, 0x1.8p-126), number(binary32, -0x1p-126),
                                  number(binary32, 0x1.4p-126)};
  EXPECT_TRUE(sum(binary32, terms).is_single());
  const Admissible set = sum(binary32, terms, flushing());
  EXPECT_TRUE(set.contains(number(binary32, 0x1.4p-126).bits));
  EXPECT_TRUE(set.contains(number(binary32, 0x1.cp-126).bits));
  // Where all are large nothing can be lost.
  EXPECT_TRUE(sum(binary32, {number(binary32, 1.5), number(binary32, -1)}, flushing()).is_single());
}

TEST(Sum, WidensNarrowTermsExactly) {
  EXPECT_EQ(number(binary32, 0x1p-24).bits, sum(binary32, {{&binary16, 1}}).single());
  EXPECT_EQ(&binary32, &accumulator_format(binary16, {}));
  EXPECT_EQ(&binary64, &accumulator_format(binary64, {}));
  Policy narrow;
  narrow.narrow_accumulator = true;
  EXPECT_EQ(&bfloat16, &accumulator_format(bfloat16, narrow));
}

}  // namespace
}  // namespace ampcheck::reference
