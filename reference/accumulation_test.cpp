#include "reference/accumulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "reference/accumulation_support_test.hpp"
#include "reference/error_bounds.hpp"

namespace ampcheck::reference {
namespace {

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
  EXPECT_EQ(number(binary16, 2048).bits,
            sum(binary16, {thousand, number(binary16, 1023), number(binary16, 1)}).single());
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

// What the header says of E, in a format in which roundings are large.
TEST(Sum, ReachesAsFarAsItsBoundSays) {
  const NumberFormat& f = float8_e5m2;
  struct Kind {
    Products products;
    Rational factor;  // times 5 and 7, which are floats
  };
  for (const std::int64_t n : {3, 4, 5, 8})
    for (const auto& [products, factor] : {Kind{Products::rounded, 1}, Kind{Products::exact, 1},
                                           Kind{Products::exact, Rational(9) / 8}})
      for (const int exponent : {-17, -16, -13, 0}) {
        const bool is_exact = factor != Rational(1);
        Sum s(f);
        Rational exact;
        for (std::int64_t i = 0; i < n; ++i) {
          const Rational term = factor * (i % 2 == 0 ? 7 : 5) * Rational::power_of_two(exponent);
          s.add_product(term, term, products);
          exact += term;
        }
        const auto terms = static_cast<std::size_t>(n);
        Rational error =
            exact * (is_exact ? growth_bound(terms - 1, f) : summation_bound(terms, f));
        // eta is 2^-16.
        if (is_exact && exponent < -13)
          error += Rational::power_of_two(-17) * n * (Rational(1) + growth_bound(terms - 1, f));
        const Admissible set = s.result({});
        if (!is_exact && exponent < -16) continue;  // terms that are rounded to others
        EXPECT_EQ(round_to(max(exact - error, 0), f), set.lowest()) << n << " " << exponent;
        EXPECT_EQ(round_to(exact + error, f), set.highest()) << n << " " << exponent;
      }
}

TEST(Sum, OfTermsOfOneSignHasNoOther) {
  for (const std::uint64_t sign : {0x8000, 0}) {
    Sum s(binary16);
    for (int i = 0; i < 3; ++i) s.add(Admissible::between(binary16, 0, 0x3555 | sign));
    EXPECT_EQ(0u, sign != 0 ? s.result({}).highest() : s.result({}).lowest());
  }
}

TEST(Sum, PassesOnWhatIsNotFinite) {
  const Number one = number(binary16, 1), inf{&binary16, 0x7c00}, minus{&binary16, 0xfc00};
  EXPECT_EQ(0x7c00u, sum(binary16, {one, inf, inf}).single());
  EXPECT_EQ(0xfc00u, sum(binary16, {one, minus}).single());
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
  Admissible any(binary16);
  any.add_non_finite();
  Sum unknown(binary16);
  unknown.add(any);
  EXPECT_TRUE(unknown.result({}).contains(0x7c00));
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

// Of 1, 1 and 1.25 units of the smallest number, of which the third may be rounded: 3.25 ± E, E =
// 3.25·19/81 + 1/2·100/81 = 1.38.
TEST(Sum, OfOneProductBelowTheSmallestNumber) {
  const Rational unit = Rational::power_of_two(-16);
  Sum s(float8_e5m2);
  for (int i = 0; i < 2; ++i) s.add(Admissible::of(float8_e5m2, 1));
  s.add_product(unit * 5 / 4, unit * 5 / 4, Products::exact);
  EXPECT_EQ(2u, s.result({}).lowest());
  EXPECT_EQ(5u, s.result({}).highest());
}

// 1/4 + 2^-11 and a bit more than 2^-13, which an interval from zero holds, are rounded up, and
// their sum with 1/2 is again.
TEST(Sum, OfAnIntervalFromZeroMayRound) {
  Sum s(binary16);
  s.add(Admissible::of(number(binary16, 0.5)));
  s.add(Admissible::of(number(binary16, 0.25 + 0x1p-11)));
  s.add(Admissible::between(binary16, 0, 0x0801));
  EXPECT_TRUE(s.result({}).contains(number(binary16, 0.75 + 0x1p-10).bits));
}

// Every number of [1, 1.25] is a multiple of 2^-23, and their sums with 1/2 are below 2.
TEST(Sum, OfAnIntervalIsExactInsideABinade) {
  Sum s(binary32);
  s.add(Admissible::between(binary32, number(binary32, 1).bits, number(binary32, 1.25).bits));
  for (int i = 0; i < 2; ++i) s.add(Admissible::of(number(binary32, 0.25)));
  EXPECT_EQ(number(binary32, 1.5).bits, s.result({}).lowest());
  EXPECT_EQ(number(binary32, 1.75).bits, s.result({}).highest());
}

// (1 + 3·2^-10)² - 1 keeps 9·2^-20 of the product's end, which a product on its own loses.
TEST(Sum, OfProductsHoldsWhatOneRoundingGives) {
  const Rational one(1), factor = one + Rational::dyadic(3, -10);
  const auto difference = [&](Products products) {
    Sum s(binary16);
    s.add_product(factor * factor, factor * factor, products);
    s.add_product(-one, -one, products);
    return s.result({});
  };
  const std::uint64_t fused = number(binary16, 6 * 0x1p-10 + 2 * 0x1p-18).bits,
                      separate = number(binary16, 6 * 0x1p-10).bits;
  EXPECT_EQ(separate, difference(Products::rounded).single());
  EXPECT_TRUE(difference(Products::exact).contains(fused));
  EXPECT_TRUE(difference(Products::any).contains(fused));
  EXPECT_TRUE(difference(Products::any).contains(separate));
}

// In units of the smallest number: five times 1.29 by way of 2.58, which becomes 3, is 7; their sum
// is 6.45.
TEST(Sum, OfProductsBelowTheSmallestNumberRoundsEach) {
  Sum s(binary16);
  const Rational unit = Rational::power_of_two(-24);
  for (int i = 0; i < 5; ++i) s.add_product(unit, unit * 129 / 100, Products::exact);
  EXPECT_TRUE(s.result({}).contains(7));
}

// 2^-14, the smallest normal number of binary16, is not flushed, and a product just below it is,
// though it rounds to it.
TEST(Sum, OfAProductMayBeFlushedBeforeItIsRounded) {
  const auto product = [&](const Rational& x) {
    Sum s(binary16);
    s.add_product(x, x, Products::rounded);
    return s.result(flushing());
  };
  const Rational smallest = Rational::power_of_two(-14);
  EXPECT_THAT(product(smallest - Rational::power_of_two(-30)).patterns(),
              testing::ElementsAre(0, 0x400));
  EXPECT_THAT(product(smallest).patterns(), testing::ElementsAre(0x400));
  EXPECT_THAT(product(1).patterns(), testing::ElementsAre(0x3c00));
}

// A product that is zero has nothing to lose: neither alone, nor beside one that is normal.
TEST(Sum, OfProductsThatAreZeroLosesNothing) {
  for (const Products products : {Products::rounded, Products::any})
    for (const int normal : {0, 1, 2}) {
      Sum s(binary32);
      for (int i = 0; i < normal; ++i) s.add_product(1, 1, products);
      s.add_product(0, 0, products);
      EXPECT_EQ(number(binary32, normal).bits, s.result(flushing()).single());
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
  // Not even where an addition rounds.
  const Number larger{&binary16, 0x03ff}, less{&binary16, 0x83ff};
  EXPECT_EQ(0u, sum(binary16, {larger, larger, larger}, flushing()).lowest());
  EXPECT_EQ(0u, sum(binary16, {less, less, less}, flushing()).highest());
}

// Terms that may be zero already, as what was flushed before, and one of the other sign.
TEST(Sum, LosesNothingOfWhatIsLostAlready) {
  const std::uint64_t tiny = 0x0155, minus = 0x8155;
  for (const bool negative : {false, true}) {
    Sum s(binary16);
    for (int i = 0; i < 2; ++i) {
      Admissible term = Admissible::of(binary16, negative ? minus : tiny);
      term.add(0);
      s.add(term);
    }
    s.add(Admissible::of(binary16, negative ? tiny : minus));
    const Admissible set = s.result(flushing());
    EXPECT_EQ(negative ? minus + tiny : minus, set.lowest());
    EXPECT_EQ(negative ? tiny : tiny + tiny, set.highest());
  }
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

TEST(Sum, FlushesNothingWhereAllIsNormal) {
  const auto is_single = [](double a, double b, double c) {
    return sum(binary16, {number(binary16, a), number(binary16, b), number(binary16, c)},
               flushing())
        .is_single();
  };
  EXPECT_TRUE(is_single(0x1.8p-13, 0x1.4p-13, 0x1p-13));
  EXPECT_TRUE(is_single(-0x1.8p-13, -0x1.4p-13, -0x1p-13));
  // All are multiples of the smallest normal number, and so is what is left of them.
  EXPECT_TRUE(is_single(0x1.8p-13, -0x1p-13, 0x1.4p-12));
}

// Three events take away the smallest normal number each, at most.
TEST(Sum, LosesNoMoreThanWhatIsFlushed) {
  const Admissible set = sum(binary32,
                             {number(binary32, 100.5 * 0x1p-126), number(binary32, -100 * 0x1p-126),
                              number(binary32, 1.25 * 0x1p-126)},
                             flushing());
  EXPECT_EQ(number(binary32, -1.25 * 0x1p-126).bits, set.lowest());
  EXPECT_EQ(number(binary32, 4.75 * 0x1p-126).bits, set.highest());
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
