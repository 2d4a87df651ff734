// The sets of a clip by norm, pattern by pattern: every form of a formula, and nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "reference/clipping_support_test.hpp"

namespace ampcheck::reference {
namespace {

using testing::ElementsAre;

constexpr ClipFormula kFormulas[] = {ClipFormula::quotient, ClipFormula::reciprocal_product,
                                     ClipFormula::limit_minimum, ClipFormula::exact};

// A norm that is one of these, known as what was computed only.
Norm one_of(const NumberFormat& f, const std::vector<double>& values) {
  Admissible computed(f);
  for (const double x : values) computed.add(number(f, x).bits);
  return {computed, std::nullopt, std::nullopt};
}

// Of binary32 throughout.
std::vector<std::uint64_t> clipped(double g, double norm, double limit, const Policy& policy) {
  return clipped_by_norm(Admissible::of(f32(g)), one_of(binary32, {norm}), number(binary64, limit),
                         policy)
      .patterns();
}

// What a machine makes of each form; n has its epsilon.
std::vector<float> evaluations(ClipFormula f, float g, float n, float limit) {
  const float scaled = g * limit, unit = g / n, ratio = n / limit, quotient = limit / n;
  const float reciprocal = 1 / n, of_limit = 1 / limit;
  switch (f) {
    case ClipFormula::quotient:
      return {g * quotient, scaled / n, unit * limit, g / std::max(ratio, 1.0f)};
    case ClipFormula::reciprocal_product: {
      const float factor = reciprocal * limit, first = g * reciprocal;
      return {g * factor, first * limit, scaled * reciprocal};
    }
    case ClipFormula::limit_minimum: {
      const float smaller = std::min(reciprocal, of_limit);
      const float factor = limit * smaller;
      return {g * factor, scaled * smaller};
    }
    case ClipFormula::exact:
      break;
  }
  return {};
}

TEST(ClippedByNorm, IsEveryFormOfItsFormulaAndNoOther) {
  std::mt19937_64 random(12);
  const Machine m(binary32);
  for (const ClipFormula f : kFormulas)
    for (const double epsilon : {0.0, 0x1.8p-10}) {
      std::size_t widest = 0;
      for (int i = 0; i < 150; ++i) {
        const double n = m.narrow(std::fabs(random_value(random, -3, 6)));
        const double g = m.narrow(n / random_value(random, 0, 3));
        const double limit = m.narrow(n / std::fabs(random_value(random, 0, 3)));
        const Rational exact = rational(g) * rational(limit) / (rational(n) + rational(epsilon));
        std::set<std::uint64_t> expected{round_to(exact, binary32)};
        for (const float x :
             evaluations(f, static_cast<float>(g), static_cast<float>(m.add(n, epsilon)),
                         static_cast<float>(limit)))
          expected.insert(f32(x).bits);
        if (n == limit) continue;
        const std::vector<std::uint64_t> found = clipped(g, n, limit, formula(f, epsilon, false));
        ASSERT_EQ(expected, std::set<std::uint64_t>(found.begin(), found.end()))
            << g << " " << n << " " << limit << " formula " << static_cast<int>(f);
        widest = std::max(widest, found.size());
      }
      EXPECT_GE(widest, f == ClipFormula::exact ? 1u : 2u);
    }
}

// Of binary64 throughout, where n + epsilon rounds: the factor is of what that is rounded to, and
// may be cast to binary32.
TEST(ClippedByNorm, IsEveryFormOfAQuotientInBinary64AndNoOther) {
  std::mt19937_64 random(13);
  const double epsilon = 1e-6;
  int rounds = 0;
  for (int i = 0; i < 150; ++i) {
    const double n = std::fabs(random_value(random, -3, 6)), g = n / random_value(random, 0, 3);
    const double limit = static_cast<float>(n / 2 / std::fabs(random_value(random, 0, 3)));
    const double sum = n + epsilon, quotient = limit / sum;
    const Rational exact = rational(g) * rational(limit) / (rational(n) + rational(epsilon));
    std::set<std::uint64_t> expected{round_to(exact, binary64)};
    for (const double x : {g * quotient, g * static_cast<float>(quotient), g * limit / sum,
                           g / sum * limit, g / (sum / limit)})
      expected.insert(number(binary64, x).bits);
    const std::vector<std::uint64_t> found =
        clipped_by_norm(Admissible::of(number(binary64, g)), one_of(binary64, {n}), f32(limit),
                        formula(ClipFormula::quotient, epsilon, false))
            .patterns();
    ASSERT_EQ(expected, std::set<std::uint64_t>(found.begin(), found.end()))
        << g << " " << n << " " << limit;
    const Rational unrounded = rational(limit) / (rational(n) + rational(epsilon));
    rounds += round_to(unrounded, binary64) != number(binary64, quotient).bits;
  }
  EXPECT_GT(rounds, 0);
}

// M/(N + e) of Python's numbers, which are binary64, for a norm in binary32: used as it is, or cast
// to the tensor's format.
TEST(ClippedByNorm, ByAFactorOfPythonsNumbers) {
  std::mt19937_64 random(14);
  const Machine m(binary32);
  const double epsilon = 1e-6;
  int others = 0;
  for (int i = 0; i < 200; ++i) {
    const double n = m.narrow(std::fabs(random_value(random, -3, 6)));
    const double g = m.narrow(n / random_value(random, 0, 3));
    const double limit = n / 2 / std::fabs(random_value(random, 0, 3));
    const double factor = limit / (n + epsilon);
    const Admissible set =
        clipped_by_norm(Admissible::of(f32(g)), one_of(binary32, {n}), number(binary64, limit),
                        formula(ClipFormula::quotient, epsilon, false));
    EXPECT_TRUE(set.contains(f32(g * factor).bits)) << g << " " << n << " " << limit;
    const double cast = m.multiply(g, m.narrow(factor));
    EXPECT_TRUE(set.contains(m.bits(cast))) << g << " " << n << " " << limit;
    const double in_binary32 = m.divide(m.narrow(limit), m.add(n, m.narrow(epsilon)));
    others += cast != m.narrow(g * factor) && cast != m.multiply(g, in_binary32);
  }
  EXPECT_GT(others, 0);
}

// (g/N)·M with the norm cast to the element's format first, and all of it in that, as optax has it.
TEST(ClippedByNorm, ByANormInTheElementsFormat) {
  std::mt19937_64 random(15);
  for (const NumberFormat* f : {&bfloat16, &binary16}) {
    const Machine m(*f);
    int others = 0;
    for (int i = 0; i < 200; ++i) {
      const double n = Machine(binary32).narrow(std::fabs(random_value(random, -3, 6)));
      const double g = m.narrow(n / random_value(random, 0, 3));
      const double limit = n / 2 / std::fabs(random_value(random, 0, 3));
      const double clipped = m.multiply(m.divide(g, m.narrow(n)), m.narrow(limit));
      const Admissible set =
          clipped_by_norm(Admissible::of(number(*f, g)), one_of(binary32, {n}),
                          number(binary64, limit), formula(ClipFormula::quotient, 0, false));
      EXPECT_TRUE(set.contains(m.bits(clipped))) << g << " " << n << " " << limit;
      others += clipped != m.narrow(g * limit / n);
    }
    EXPECT_GT(others, 0);
  }
  // 0/0, where the norm of another tensor is 0 in the format of this one.
  EXPECT_THAT(clipped_by_norm(Admissible::of(number(binary16, 0)), one_of(binary32, {0x1p-30}),
                              f32(0x1p-31), formula(ClipFormula::quotient, 0, false))
                  .patterns(),
              ElementsAre(0));
}

// (g·M)/N and its like are for norms above the limit: below it they would enlarge the element.
TEST(ClippedByNorm, EnlargesNothing) {
  for (const ClipFormula f : kFormulas) {
    const Policy policy = formula(f, 0, false);
    const Admissible one = Admissible::of(f32(1));
    EXPECT_THAT(clipped_by_norm(one, one_of(binary32, {1, 4}), f32(2), policy).patterns(),
                ElementsAre(f32(0.5).bits, f32(1).bits));
    const Norm any{Admissible::between(binary32, f32(1).bits, f32(4).bits), {}, {}};
    const Admissible set = clipped_by_norm(one, any, f32(2), policy);
    EXPECT_EQ(f32(0.5).bits, set.lowest());
    EXPECT_EQ(f32(1).bits, set.highest());
  }
}

// 41·RN(1/41) is 1 - 2^-24, and so it is for each norm below 41.
TEST(ClippedByNorm, TheMinimumOfTwoReciprocalsIsThatOfTheLimit) {
  const Admissible set = clipped_by_norm(Admissible::of(f32(1)), one_of(binary32, {20, 82}),
                                         f32(41), formula(ClipFormula::limit_minimum, 0, false));
  EXPECT_THAT(set.patterns(),
              ElementsAre(f32(0.5).bits - 1, f32(0.5).bits, f32(1).bits - 1, f32(1).bits));
}

// 1/N overflows from 2^-128 down, and M/N does not.
TEST(ClippedByNorm, ByTheReciprocalOfATinyNorm) {
  const Policy policy = formula(ClipFormula::reciprocal_product);
  // g·M on its own underflows to 0.
  EXPECT_THAT(clipped(0x1p-127, 0x1p-127, 0x1p-128, policy), ElementsAre(0, f32(0x1p-128).bits));
  EXPECT_THAT(clipped(0x1p-129, 0x1p-129, 0x1p-130, policy),
              ElementsAre(f32(0x1p-130).bits, f32(0x1p-129).bits));
}

TEST(ClippedByNorm, MultipliesByNoProductThatOverflows) {
  // g·M is 2^128, and neither inf/N nor what it saturates to is right.
  EXPECT_THAT(clipped(0x1p100, 0x1p100, 0x1p28, formula(ClipFormula::quotient)),
              ElementsAre(f32(0x1p28).bits));
  // N/M is 2^128: g/inf is 0.
  EXPECT_THAT(clipped(0x1p100, 0x1p100, 0x1p-28, formula(ClipFormula::quotient)),
              ElementsAre(f32(0x1p-28).bits));
}

TEST(ClippedByNorm, ToALimitThatVanishesInTheFormatOfTheNorm) {
  for (const ClipFormula f : kFormulas) {
    EXPECT_THAT(clipped(1, 2, 0x1p-200, formula(f)), ElementsAre(0));
    EXPECT_THAT(clipped(1, 2, 0, formula(f)), ElementsAre(0));
  }
}

TEST(ClippedByNorm, OfANormOfZero) {
  for (const ClipFormula f : kFormulas) {
    Policy policy = formula(f, 0, false);
    policy.may_flush = true;
    EXPECT_THAT(clipped(3, 0, 1, policy), ElementsAre(f32(3).bits));
    EXPECT_THAT(clipped(3, 0, 0, policy), ElementsAre(f32(3).bits));
    // An epsilon that vanishes in the format of the norm.
    EXPECT_THAT(clipped(3, 0, 0x1p-200, formula(f, 0x1p-199, false)),
                ElementsAre(f32(1.5).bits, f32(3).bits));
  }
}

// All of it powers of two: one intermediate result is the smallest normal number 2^-126, or half of
// it.
TEST(ClippedByNorm, MayFlushWhatIsTinyOnTheWay) {
  Policy policy = formula(ClipFormula::quotient);
  policy.may_flush = true;
  struct Case {
    double g, norm, limit;
  };
  const auto expect = [&](const Case& normal, const Case& tiny) {
    EXPECT_THAT(clipped(normal.g, normal.norm, normal.limit, policy),
                ElementsAre(f32(normal.g / normal.norm * normal.limit).bits));
    EXPECT_THAT(clipped(tiny.g, tiny.norm, tiny.limit, policy),
                ElementsAre(0, f32(tiny.g / tiny.norm * tiny.limit).bits));
  };
  expect({4, 0.5, 0x1p-126}, {4, 0.5, 0x1p-127});                      // M
  expect({0x1p-26, 0x1p-50, 0x1p-100}, {0x1p-27, 0x1p-50, 0x1p-100});  // g·M
  expect({0x1p100, 0x1p100, 0x1p-26}, {0x1p100, 0x1p100, 0x1p-27});    // M/N
  expect({0x1p-26, 0x1p100, 0x1p60}, {0x1p-27, 0x1p100, 0x1p60});      // g/N
  expect({0x1p120, 0x1p126, 0x1p100}, {0x1p120, 0x1p127, 0x1p100});    // 1/N
}

// N + e is 1 + 2^-8 + 2^-24: rounded to bfloat16 1 + 2^-7, by way of binary32 the tie 1 + 2^-8 and
// so 1. e is 1 - 2^-9 + 2^-24, which bfloat16 rounds to 1; N with that is 1 + 2^-7, too.
TEST(ClippedByNorm, RoundsNarrowNormsAlsoByWayOfBinary32) {
  const Policy policy = formula(ClipFormula::quotient, 1 - 0x1p-9 + 0x1p-24);
  const Admissible set = clipped_by_norm(Admissible::of(number(bfloat16, 1)),
                                         one_of(bfloat16, {0x1.8p-8}), f32(0.5), policy);
  // A half over 1 + 2^-7, over 1 + 2^-8 + 2^-24, and over 1, in units of 2^-9: 254.02, 255.004,
  // 256.
  EXPECT_THAT(set.patterns(),
              ElementsAre(number(bfloat16, 254 * 0x1p-9).bits, number(bfloat16, 255 * 0x1p-9).bits,
                          number(bfloat16, 0.5).bits));
}

// The norm is known, and one element is either of two.
TEST(ClippedByNorm, OfEveryValueOfAnElement) {
  Admissible either = Admissible::of(f32(-1));
  either.add(f32(1).bits);
  const Norm n{Admissible::of(f32(2)), std::nullopt, Exact(2)};
  EXPECT_THAT(clipped_by_norm(either, n, f32(1), formula(ClipFormula::exact)).patterns(),
              ElementsAre(f32(-0.5).bits, f32(0.5).bits));
}

// M/(√2 + e) of the norm itself beside that of the norm as it was rounded, for limits on both sides
// of √2.
TEST(ClippedByNorm, HoldsTheExactQuotientWithItsEpsilon) {
  const Exact root = Exact::square_root(2);
  const std::uint64_t rounded = round_to(root, binary32);
  const Norm n{Admissible::of(binary32, rounded), std::nullopt, root};
  const Rational epsilon = rational(0x1p-10);
  int differ = 0;
  for (int k = -8; k < 8; ++k) {
    const double limit = 1.4140625 + k * 0x1p-13;  // √2 is 1.41421, and 2^-10 about 0.00098
    const std::uint64_t exact =
        round_to(Exact(rational(limit)) / (root + Exact(epsilon)), binary32);
    const std::uint64_t computed =
        round_to(rational(limit) / (value_of(rounded, binary32) + epsilon), binary32);
    const std::vector<std::uint64_t> found =
        clipped_by_norm(Admissible::of(f32(1)), n, f32(limit), formula(ClipFormula::exact, 0x1p-10))
            .patterns();
    EXPECT_EQ(std::set<std::uint64_t>({exact, computed}),
              std::set<std::uint64_t>(found.begin(), found.end()));
    differ += exact != computed;
  }
  EXPECT_GT(differ, 0);
}

}  // namespace
}  // namespace ampcheck::reference
