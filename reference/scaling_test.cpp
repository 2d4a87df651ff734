#include "reference/scaling.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>

#include "reference/emulation_test.hpp"
#include "reference/share_test.hpp"

namespace ampcheck::reference {
namespace {

using testing::ElementsAre;

constexpr UnscaleArithmetic kArithmetics[] = {
    UnscaleArithmetic::division, UnscaleArithmetic::reciprocal_binary32,
    UnscaleArithmetic::reciprocal_binary64, UnscaleArithmetic::either};

Policy with(UnscaleArithmetic arithmetic, const NumberFormat& width = binary32) {
  Policy policy;
  policy.unscale = arithmetic;
  policy.unscale_format = &width;
  return policy;
}

// ---- against the second oracle's own evaluation

using Patterns = std::set<std::uint64_t>;

const second::Layout& binary32_layout = second::kLayouts[2];

second::Unscale second_name(UnscaleArithmetic arithmetic) {
  switch (arithmetic) {
    case UnscaleArithmetic::division:
      return second::Unscale::division;
    case UnscaleArithmetic::reciprocal_binary32:
      return second::Unscale::reciprocal_binary32;
    case UnscaleArithmetic::reciprocal_binary64:
      return second::Unscale::reciprocal_binary64;
    case UnscaleArithmetic::either:
      break;
  }
  return second::Unscale::any;
}

// Scales of all kinds: powers of two and not, of binary64, of a reciprocal that is subnormal or
// overflows.
struct Scale {
  const NumberFormat* format;
  std::uint64_t bits;
};
const Scale kScales[] = {
    {&binary32, 0x47800000},          // 2^16
    {&binary32, 0x3e000000},          // 2^-3
    {&binary32, 0x40400000},          // 3
    {&binary32, 0x473b87e4},          // 48007.890625
    {&binary32, 0x7f400000},          // 1.5·2^127: RN32(1/S) is subnormal
    {&binary32, 0x00000200},          // 2^-140: RN32(1/S) overflows
    {&binary64, 0x40f000014ccccccd},  // 65537.3: another in binary32
};

void check_every(const NumberFormat& x_format, std::uint64_t step) {
  for (const Scale& s : kScales) {
    const second::Value scale = second::decode(s.bits, layout_of(*s.format));
    const Rational exact_scale = value_of(s.bits, *s.format);
    for (const UnscaleArithmetic arithmetic : kArithmetics) {
      // binary64 and the wide output where that costs little.
      const bool wide = arithmetic == UnscaleArithmetic::reciprocal_binary64;
      const NumberFormat& w = wide ? binary64 : binary32;
      const NumberFormat& g = arithmetic == UnscaleArithmetic::either ? binary32 : x_format;
      const Policy policy = with(arithmetic, w);
      for (std::uint64_t bits = 0; bits <= 0xffff; bits += step) {
        if (!x_format.is_finite(bits)) continue;
        const Admissible set = unscaled({&x_format, bits}, exact_scale, g, policy);
        const Patterns expected =
            second::unscaled(second::decode(bits, layout_of(x_format)), scale,
                             second_name(arithmetic), layout_of(w), layout_of(g));
        const std::vector<std::uint64_t> found = set.patterns();
        Patterns seen(found.begin(), found.end());
        if (set.contains(g.nan())) seen.insert(second::kAnyNan);
        ASSERT_EQ(expected, seen) << bits << " by " << exact_scale.to_string() << " arithmetic "
                                  << static_cast<int>(arithmetic) << ": " << set.to_string();
      }
    }
  }
}

TEST(Unscaled, AgreesWithTheFormulasOnASample) { check_every(binary16, 509); }
TEST(Unscaled, AgreesWithTheFormulasOnAllOfBinary16) { check_every(binary16, 2 * kShare - 1); }
TEST(Unscaled, AgreesWithTheFormulasOnAllOfBfloat16) { check_every(bfloat16, 2 * kShare - 1); }

TEST(Delivered, AgreesOnAllCoefficients) {
  for (const NumberFormat* f : {&binary16, &bfloat16}) {
    for (const double s : {1.0, 65536.0, 3.0, 0x1p-20, -1000.0, 0x1.8p-126}) {
      const Number cotangent = number(binary32, s);
      const second::Value factor = second::decode(cotangent.bits, binary32_layout);
      for (std::uint64_t bits = 0; bits <= 0xffff; ++bits) {
        const second::Value c = second::decode(bits, layout_of(*f));
        const Admissible set = delivered(cotangent, {f, bits}, *f, false);
        if (c.kind == second::Kind::nan) {
          ASSERT_FALSE(set.has_ends());
          ASSERT_TRUE(set.contains(f->nan()));
          continue;
        }
        const std::uint64_t expected =
            c.kind == second::Kind::number
                ? second::rounded(second::product(factor, c), layout_of(*f))
                : f->infinity() | (factor.negative != c.negative ? f->sign_bit() : 0);
        ASSERT_TRUE(set.is_single() && set.contains(expected)) << s << " · " << bits;
      }
    }
  }
}

// ---- worked numbers

// golden/innocent/A6: torch's ShardedGradScaler on a CPU narrows what it has
// rounded to binary32, which gives another number than rounding once.
TEST(Unscaled, HoldsBothNarrowings) {
  const Rational scale = value_of(0x473b87e4, binary32);
  const Admissible set =
      unscaled({&binary16, 0x6645}, scale, binary16, with(UnscaleArithmetic::reciprocal_binary32));
  EXPECT_THAT(set.patterns(), ElementsAre(0x2847, 0x2848));
}

TEST(Unscaled, Of60000By1000) {
  const Number x = number(binary16, 60000);
  EXPECT_THAT(unscaled(x, 1000, binary16, with(UnscaleArithmetic::reciprocal_binary32)).patterns(),
              ElementsAre(number(binary16, 60).bits));
  // 60.000003814697266 in binary32, beside the exact 60.
  EXPECT_THAT(unscaled(x, 1000, binary32, with(UnscaleArithmetic::reciprocal_binary32)).patterns(),
              ElementsAre(0x42700000, 0x42700001));
  EXPECT_THAT(unscaled(x, 1000, binary32, with(UnscaleArithmetic::division)).patterns(),
              ElementsAre(0x42700000));
}

TEST(Unscaled, ByPowersOfTwoIsOneValueInEveryArithmetic) {
  for (int k = -120; k <= 120; ++k)
    for (const UnscaleArithmetic arithmetic : kArithmetics)
      for (const NumberFormat* g : {&binary16, &binary32})
        EXPECT_TRUE(unscaled({&binary16, 0x3555}, Rational::power_of_two(k), *g, with(arithmetic))
                        .is_single());
}

// S = 2^-128: a division is right and finite, the reciprocal is inf in binary32.
TEST(Unscaled, ByAScaleWhoseReciprocalOverflows) {
  const Rational scale = Rational::power_of_two(-128);
  const Number x = number(binary32, 1e-3), zero{&binary32, 0};
  const Policy divides = with(UnscaleArithmetic::division);
  const Policy multiplies = with(UnscaleArithmetic::reciprocal_binary32);
  EXPECT_THAT(unscaled(x, scale, binary32, divides).patterns(),
              ElementsAre(number(binary32, static_cast<float>(1e-3) * 0x1p128).bits));
  EXPECT_TRUE(unscaled(zero, scale, binary32, divides).is_single());
  EXPECT_TRUE(unscaled(x, scale, binary32, multiplies).contains(binary32.infinity()));
  EXPECT_TRUE(unscaled(zero, scale, binary32, multiplies).contains(binary32.nan()));
  EXPECT_TRUE(is_usable(scale, binary32, divides));
  EXPECT_FALSE(is_usable(scale, binary32, multiplies));
  EXPECT_TRUE(is_usable(scale, binary32, with(UnscaleArithmetic::reciprocal_binary64)));
}

// 0 in binary32, in which there is no dividing by it.
TEST(Unscaled, ByAScaleThatVanishesInBinary32) {
  const Rational scale = Rational::power_of_two(-200);
  EXPECT_THAT(
      unscaled(number(binary64, 3), scale, binary64, with(UnscaleArithmetic::division)).patterns(),
      ElementsAre(number(binary64, 0x1.8p201).bits));
}

TEST(Unscaled, ExactlyIsWhatEveryFormHasBeforeItsLastRounding) {
  const Number x = number(binary16, 60000);
  const auto by = [&](UnscaleArithmetic arithmetic) {
    return *unscaled_exactly(x, 1000, with(arithmetic));
  };
  EXPECT_EQ(Interval(60), by(UnscaleArithmetic::division));
  const Interval interval = by(UnscaleArithmetic::either);
  EXPECT_EQ(Rational(60), interval.low);
  EXPECT_EQ(rational(0.001f) * 60000, interval.high);
  EXPECT_FALSE(unscaled_exactly({&binary16, 0x7c00}, 1000, Policy()));
}

// 1/S just above a tie of binary32 that binary64 rounds onto it: `1. / scale` on the host, then
// narrowed.
TEST(Unscaled, HoldsTheReciprocalRoundedTwice) {
  // 1/S lies 2^-55 relative to it above the tie 1 + 2^-24.
  const Rational tie = Rational(1) + Rational::power_of_two(-24);
  const Number s{&binary64, round_to(Rational(1) / tie, binary64, Rounding::down)};
  const Rational scale = value_of(s);
  const double once = as_double({&binary32, round_to(Rational(1) / scale, binary32)});
  const auto twice = static_cast<float>(1.0 / as_double(s));
  ASSERT_NE(once, twice);
  const Admissible set =
      unscaled(number(binary32, 1), scale, binary32, with(UnscaleArithmetic::reciprocal_binary32));
  EXPECT_TRUE(set.contains(number(binary32, twice).bits));
  EXPECT_TRUE(set.contains(number(binary32, once).bits));
}

// x/S is so near to the middle of two numbers of the output that the quotient is that middle, in
// the width of the arithmetic, and narrows to the even one. The exact quotient rounds to the other
// one, and so do the products with 1/S.
TEST(Unscaled, DividesWhereDivisionIsDeclaredAndNowhereElse) {
  // In binary32, from binary16 to binary16.
  const Number x{&binary16, number(binary16, 1876).bits};
  const Rational scale = rational(0x1.86edc4p+11);
  const std::uint64_t odd = number(binary16, 0x1.334p-1).bits,
                      even = number(binary16, 0x1.33p-1).bits;
  EXPECT_THAT(unscaled(x, scale, binary16, with(UnscaleArithmetic::division)).patterns(),
              ElementsAre(even, odd));
  EXPECT_THAT(unscaled(x, scale, binary16, with(UnscaleArithmetic::reciprocal_binary32)).patterns(),
              ElementsAre(odd));
  // In binary64, to binary32.
  const Number y = number(binary64, 0x1.97bb682d1e291p+32);
  const auto holds = [&](UnscaleArithmetic arithmetic, double result) {
    return unscaled(y, rational(0x1.a98ad934p+31), binary32, with(arithmetic, binary64))
        .contains(number(binary32, result).bits);
  };
  for (const UnscaleArithmetic arithmetic : kArithmetics)
    EXPECT_TRUE(holds(arithmetic, 0x1.ea9236p+0));
  EXPECT_TRUE(holds(UnscaleArithmetic::division, 0x1.ea9238p+0));
  EXPECT_TRUE(holds(UnscaleArithmetic::either, 0x1.ea9238p+0));
  EXPECT_FALSE(holds(UnscaleArithmetic::reciprocal_binary32, 0x1.ea9238p+0));
  EXPECT_FALSE(holds(UnscaleArithmetic::reciprocal_binary64, 0x1.ea9238p+0));
}

TEST(Unscaled, PassesOnWhatIsNotFinite) {
  const Policy policy = with(UnscaleArithmetic::division);
  EXPECT_THAT(unscaled({&binary16, 0xfc00}, 8, binary32, policy).patterns(),
              ElementsAre(0xff800000));
  EXPECT_FALSE(unscaled({&binary16, 0x7e00}, 8, binary32, policy).may_be_finite());
  EXPECT_TRUE(unscaled({&binary16, 0x7c00}, 8, float8_e4m3fn, policy).contains(0x7f));
}

TEST(Unscaled, MayOverflowBelowOne) {
  const Policy policy = with(UnscaleArithmetic::division);
  EXPECT_THAT(unscaled(number(binary16, -60000), Rational(1) / 4, binary16, policy).patterns(),
              ElementsAre(0xfc00));
}

TEST(Unscaled, MayBeFlushed) {
  Policy policy = with(UnscaleArithmetic::division);
  const Number x = number(binary16, 0x1.8p-10);
  EXPECT_FALSE(unscaled(x, 64, binary16, policy).contains(0));
  policy.may_flush = true;
  EXPECT_TRUE(unscaled(x, 64, binary16, policy).contains(0));  // result
  EXPECT_TRUE(
      unscaled({&binary16, 1}, Rational(1) / 65536, binary16, policy).contains(0));  // operand
  EXPECT_FALSE(unscaled(x, 16, binary16, policy).contains(0));
  EXPECT_FALSE(unscaled(number(binary16, 0x1p-13), 2, binary16, policy).contains(0));
  // Subnormal in the format of the arithmetic only.
  const Policy narrow = [&] {
    Policy p = policy;
    p.unscale_format = &binary16;
    return p;
  }();
  EXPECT_TRUE(unscaled(x, 64, binary32, narrow).contains(0));
  EXPECT_FALSE(unscaled(x, 64, binary32, policy).contains(0));
  // The reciprocal is subnormal, and nothing else.
  const Number large = number(binary32, 0x1p120);
  const Rational scale = Rational::dyadic(3, 126);
  EXPECT_FALSE(unscaled(large, scale, binary32, policy).contains(0));
  policy.unscale = UnscaleArithmetic::reciprocal_binary32;
  EXPECT_TRUE(unscaled(large, scale, binary32, policy).contains(0));
  EXPECT_FALSE(unscaled(large, 3, binary32, policy).contains(0));
  policy.may_flush = false;
  EXPECT_FALSE(unscaled(large, scale, binary32, policy).contains(0));
  policy = with(UnscaleArithmetic::division);
  policy.may_flush = true;
  // Before rounding below the smallest normal number, and that number after it.
  const Number y{&binary32, 0x00ffffff};  // (2 - 2^-23)·2^-126
  EXPECT_TRUE(unscaled(y, 2, binary32, policy).contains(0));
}

TEST(Unscaled, SetsMayBeFlushedWhereOneEndIsSubnormal) {
  const auto flushed = [](std::uint64_t a, std::uint64_t b) {
    Admissible set = Admissible::of(binary16, a);
    set.add(b);
    allow_flushing(set);
    return set.patterns();
  };
  EXPECT_THAT(flushed(0x8001, 0xbc00), ElementsAre(0xbc00, 0x8001, 0));
  EXPECT_THAT(flushed(0x3c00, 0x0001), ElementsAre(0, 0x0001, 0x3c00));
  EXPECT_THAT(flushed(0xbc00, 0x3c00), ElementsAre(0xbc00, 0x3c00));
}

TEST(Delivered, MultipliesWhatIsNotFiniteAsIeeeDoes) {
  const Number inf{&binary32, binary32.infinity()}, one = number(binary16, -1), zero{&binary16, 0};
  EXPECT_THAT(delivered(inf, one, binary16, false).patterns(), ElementsAre(0xfc00));
  EXPECT_THAT(delivered(inf, number(binary16, 1), binary16, false).patterns(), ElementsAre(0x7c00));
  EXPECT_FALSE(delivered(inf, zero, binary16, false).has_ends());
  EXPECT_FALSE(delivered(number(binary32, 1), {&binary16, 0x7e00}, binary16, false).has_ends());
  EXPECT_TRUE(delivered(inf, one, float8_e4m3fn, false).contains(0xff));
  // Without inf and NaN what is too large becomes the largest number, 6 (OCP MX 1.0, 5.3.3).
  EXPECT_THAT(delivered(inf, one, float4_e2m1fn, false).patterns(), ElementsAre(0xf));
  EXPECT_THAT(delivered(number(binary32, 65536), one, binary16, false).patterns(),
              ElementsAre(0xfc00));
}

TEST(Delivered, MayBeFlushed) {
  const Number one = number(binary32, 1);
  EXPECT_FALSE(delivered(one, {&binary16, 5}, binary16, false).contains(0));
  EXPECT_TRUE(delivered(one, {&binary16, 5}, binary16, true).contains(0));
  EXPECT_TRUE(delivered(number(binary32, 1024), {&binary16, 5}, binary16, true).contains(0));
  EXPECT_FALSE(delivered(number(binary32, 1024), {&binary16, 0x400}, binary16, true).contains(0));
  EXPECT_TRUE(delivered({&binary16, 5}, number(binary16, 1024), binary16, true).contains(0));
  // 2^-14·(1 - 2^-12) rounds to the smallest normal number, but is below it.
  EXPECT_TRUE(
      delivered(number(binary32, 0x1.ffep-1), {&binary16, 0x400}, binary16, true).contains(0));
}

TEST(Seeds, RoundToTheFormatOfTheLoss) {
  EXPECT_EQ(binary16.infinity(), seed_of(65536, binary16));
  EXPECT_EQ(0x47800000u, seed_of(65536, binary32));
  EXPECT_FALSE(is_usable(65536, binary16, Policy()));
  EXPECT_FALSE(is_usable(0, binary32, Policy()));
  EXPECT_TRUE(is_usable(Rational::power_of_two(-149), binary32, Policy()));
  Policy flushes;
  flushes.may_flush = true;
  EXPECT_FALSE(is_usable(Rational::power_of_two(-149), binary32, flushes));
  EXPECT_TRUE(is_usable(1, binary32, flushes));
  EXPECT_FALSE(is_usable(-1, binary32, Policy()));
  EXPECT_FALSE(is_usable(Rational::power_of_two(-200), binary32, Policy()));
  EXPECT_TRUE(is_usable(Rational::power_of_two(-127), binary32,
                        with(UnscaleArithmetic::reciprocal_binary32)));
}

// What torch's kernels do for short formats: the quotient or the product in binary32, then
// narrowed.
TEST(Seeds, DividedInBinary32LieInTheSet) {
  int beside = 0;
  for (const NumberFormat* f : {&binary16, &bfloat16}) {
    const Machine wide(binary32), narrow(*f);
    for (const std::int64_t n : {3, 7, 10, 100, 257, 3439}) {
      for (std::uint64_t fraction = 0; fraction < f->min_normal(); ++fraction) {
        const Number seed{f, number(*f, 1024).bits + fraction};
        const Admissible set = divided_seed(seed, n);
        const double s = as_double(seed), count = static_cast<double>(n);
        const Number once{f, round_to(value_of(seed) / n, *f)};
        const Number reciprocal{f, narrow.bits(s * narrow.divide(1, count))};
        for (const double x : {wide.divide(s, count), wide.multiply(s, wide.divide(1, count))}) {
          ASSERT_TRUE(set.contains(narrow.bits(x))) << f->name << " " << s << "/" << n;
          beside += narrow.bits(x) != once.bits && narrow.bits(x) != reciprocal.bits;
        }
      }
    }
  }
  // 1552/3439 is one: 0.451171875 by the reciprocal in binary32, 0.4514160156 in the two other
  // ways.
  EXPECT_GT(beside, 0);
  EXPECT_THAT(divided_seed(number(binary16, 1024), 4).patterns(),
              ElementsAre(number(binary16, 256).bits));
  EXPECT_THAT(divided_seed(number(binary16, 1024), 1).patterns(),
              ElementsAre(number(binary16, 1024).bits));
  EXPECT_THAT(divided_seed({&binary16, 0x7c00}, 4).patterns(), ElementsAre(0x7c00));
}

}  // namespace
}  // namespace ampcheck::reference
