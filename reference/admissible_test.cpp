#include "reference/admissible.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "reference/root.hpp"
#include "reference/transcendental.hpp"

namespace ampcheck::reference {
namespace {

constexpr std::uint64_t kOne = 0x3c00, kTwo = 0x4000, kInf = 0x7c00, kNan = 0x7e00, kSign = 0x8000;

TEST(Admissible, HoldsNothingAtFirst) {
  const Admissible set(binary16);
  EXPECT_TRUE(set.empty());
  EXPECT_FALSE(set.contains(0));
  EXPECT_FALSE(set.may_be_finite());
  EXPECT_FALSE(set.may_be_non_finite());
  EXPECT_EQ("{}", set.to_string());
}

TEST(Admissible, TakesBothZerosForOne) {
  const Admissible set = Admissible::of(binary16, kSign);
  EXPECT_TRUE(set.contains(0));
  EXPECT_TRUE(set.contains(kSign));
  EXPECT_TRUE(set.is_single());
  EXPECT_EQ(0u, set.single());
}

TEST(Admissible, ListsHoldTheirPatternsOnly) {
  Admissible set = Admissible::of(binary16, kTwo);
  set.add(kOne);
  set.add(kTwo);
  EXPECT_FALSE(set.is_interval());
  EXPECT_FALSE(set.is_single());
  EXPECT_THROW(set.single(), std::logic_error);
  EXPECT_EQ((std::vector<std::uint64_t>{kOne, kTwo}), set.patterns());
  EXPECT_FALSE(set.contains(kOne + 1));
  EXPECT_FALSE(set.contains(kOne | kSign));
  EXPECT_EQ("{3c00 = 0x1p+0, 4000 = 0x1p+1}", set.to_string());
}

TEST(Admissible, IntervalsGoThroughZeroInTheOrderOfValues) {
  const Admissible set = Admissible::between(binary16, kTwo, kOne | kSign);
  EXPECT_TRUE(set.is_interval());
  for (const std::uint64_t in : {kOne | kSign, kSign | 1, kSign, std::uint64_t{0}, kOne, kTwo})
    EXPECT_TRUE(set.contains(in)) << in;
  for (const std::uint64_t out : {kTwo | kSign, (kOne | kSign) + 1, kTwo + 1, kInf, kNan})
    EXPECT_FALSE(set.contains(out)) << out;
  EXPECT_EQ(kOne | kSign, set.lowest());
  EXPECT_EQ(kTwo, set.highest());
  EXPECT_EQ("[bc00 = -0x1p+0 … 4000 = 0x1p+1]", set.to_string());
  EXPECT_THROW(Admissible::between(binary16, kOne, kNan), std::invalid_argument);
  EXPECT_FALSE(Admissible::between(binary16, kOne, kOne).is_interval());
}

TEST(Admissible, UnionsOfAnIntervalAreHulls) {
  Admissible set = Admissible::between(binary16, kOne, kOne + 2);
  set.add(kTwo);
  EXPECT_TRUE(set.contains(kTwo - 1));
  Admissible list = Admissible::of(binary16, kSign | kOne);
  list.add(set);
  EXPECT_TRUE(list.contains(0));
  EXPECT_TRUE(list.is_interval());
  Admissible open(binary16);
  open.add_non_finite();
  list.add(open);
  EXPECT_TRUE(list.contains(kInf));
  EXPECT_TRUE(list.contains(kNan));
  EXPECT_THROW(list.add(Admissible::of(bfloat16, kOne)), std::invalid_argument);
}

TEST(Admissible, KnowsWhatIsNotFinite) {
  Admissible set = Admissible::of(binary16, kOne);
  EXPECT_FALSE(set.may_be_non_finite());
  set.add(kNan);
  EXPECT_TRUE(set.may_be_non_finite());
  EXPECT_TRUE(set.may_be_finite());
  EXPECT_TRUE(set.contains(0x7c01));  // any payload
  EXPECT_FALSE(set.contains(kInf));
  EXPECT_FALSE(set.is_single());
  set.add_non_finite();
  EXPECT_TRUE(set.contains(kInf));
  EXPECT_TRUE(set.contains(kInf | kSign));
  EXPECT_FALSE(set.contains(0x7bff));
  EXPECT_EQ("{3c00 = 0x1p+0} or ±inf or NaN", set.to_string());

  const Admissible infinite = Admissible::of(binary16, kInf);
  EXPECT_FALSE(infinite.may_be_finite());
  EXPECT_TRUE(infinite.may_be_non_finite());
  EXPECT_TRUE(Admissible::between(binary16, kOne, kInf).may_be_finite());
  EXPECT_FALSE(Admissible::nan(binary16).may_be_finite());
  EXPECT_EQ("NaN", Admissible::nan(binary16).to_string());
}

TEST(Admissible, AnythingHoldsEveryPattern) {
  for (const NumberFormat& f : kNumberFormats) {
    if (f.width > 19) continue;
    const Admissible set = Admissible::anything(f);
    for (std::uint64_t bits = 0; bits >> f.width == 0; ++bits)
      ASSERT_TRUE(set.contains(bits)) << f.name << " " << bits;
    EXPECT_EQ(f.has_nan(), set.may_be_non_finite());
  }
}

// A single pattern is in its own set only, but for the two zeros; an interval holds what is
// between.
TEST(Admissible, OrdersTheNumbersOfEveryShortFormat) {
  for (const NumberFormat& f : kNumberFormats) {
    if (f.width > 8) continue;
    for (std::uint64_t a = 0; a >> f.width == 0; ++a) {
      for (std::uint64_t b = 0; b >> f.width == 0; ++b) {
        const bool both_nan = f.is_nan(a) && f.is_nan(b);
        const bool both_infinite = f.is_infinite(a) && f.is_infinite(b) && a == b;
        const bool same = f.is_finite(a) && f.is_finite(b) && value_of(a, f) == value_of(b, f);
        ASSERT_EQ(both_nan || both_infinite || same, Admissible::of(f, a).contains(b))
            << f.name << " " << a << " " << b;
        if (!f.is_finite(a) || !f.is_finite(b)) continue;
        ASSERT_EQ(value_of(a, f) <= value_of(b, f),
                  Admissible::between(f, f.lowest(), b).contains(a))
            << f.name << " " << a << " " << b;
      }
    }
  }
}

TEST(Admissible, HoldsNonFinitePatternsOnlyWhereThereAreSome) {
  Admissible set(float6_e3m2fn);
  set.add_non_finite();
  EXPECT_TRUE(set.empty());
  EXPECT_THROW(Admissible::nan(float4_e2m1fn), NotRepresentable);
  Admissible fnuz(float8_e5m2fnuz);
  fnuz.add_non_finite();
  EXPECT_EQ("NaN", fnuz.to_string());
  EXPECT_TRUE(fnuz.contains(0x80));
  EXPECT_FALSE(fnuz.contains(0));
}

TEST(Admissible, EnclosesWhatRoundsBeyondTheRange) {
  EXPECT_EQ("[4000 = 0x1p+1 … 7c00 = inf]", Admissible::enclosing(binary16, 2, 70000).to_string());
  EXPECT_EQ("[40 = 0x1p+1 … 7e = 0x1.cp+8] or NaN",
            Admissible::enclosing(float8_e4m3fn, 2, 500).to_string());
  EXPECT_EQ("[fe = -0x1.cp+8 … c0 = -0x1p+1] or NaN",
            Admissible::enclosing(float8_e4m3fn, -500, -2).to_string());
  EXPECT_EQ("NaN", Admissible::enclosing(float8_e4m3fn, 500, 600).to_string());
  EXPECT_EQ("[fe = -0x1.cp+8 … 7e = 0x1.cp+8] or NaN",
            Admissible::enclosing(float8_e4m3fn, -500, 600).to_string());
  EXPECT_EQ("[4 = 0x1p+1 … 7 = 0x1.8p+2]",
            Admissible::enclosing(float4_e2m1fn, 2, 500).to_string());
  EXPECT_EQ("[80 = 0x1p+1 … fe = 0x1p+127] or NaN",
            Admissible::enclosing(float8_e8m0fnu, 2, Rational::power_of_two(200)).to_string());
}

TEST(Admissible, MapsListsOneByOneAndIntervalsByTheirEnds) {
  const auto widen = [](std::uint64_t bits) {
    return Admissible::of(binary32, convert({&binary16, bits}, binary32));
  };
  Admissible list = Admissible::of(binary16, kOne);
  list.add(kTwo);
  list.add(kNan);
  const Admissible wide = list.map(binary32, widen);
  EXPECT_EQ("{3f800000 = 0x1p+0, 40000000 = 0x1p+1} or NaN", wide.to_string());
  const Admissible falling =
      Admissible::between(binary16, kOne, kTwo).map(binary16, [](std::uint64_t bits) {
        return Admissible::of(binary16, bits ^ kSign);
      });
  EXPECT_EQ("[c000 = -0x1p+1 … bc00 = -0x1p+0]", falling.to_string());
}

TEST(Admissible, MapsWhatIsNotFinite) {
  Admissible set = Admissible::of(binary16, kOne);
  set.add_non_finite();
  const auto to = [&](const NumberFormat& f) {
    return set
        .map(f,
             [&](std::uint64_t bits) {
               return Admissible::of(f, convert({&binary16, bits}, f));
             })
        .to_string();
  };
  EXPECT_EQ("{3f80 = 0x1p+0} or ±inf or NaN", to(bfloat16));
  EXPECT_EQ("{38 = 0x1p+0} or NaN", to(float8_e4m3fn));
  EXPECT_THROW(to(float4_e2m1fn), NotRepresentable);
}

TEST(Admissible, StochasticRoundingKeepsNumbersAndElseHasTwoNeighbours) {
  const auto patterns = [](const Exact& x, const NumberFormat& f,
                           Overflow overflow = Overflow::standard) {
    return stochastically_rounded(x, f, overflow).patterns();
  };
  using Patterns = std::vector<std::uint64_t>;
  for (const NumberFormat& f : kNumberFormats) {
    if (f.width > 8) continue;
    for (std::uint64_t bits = 0; bits <= f.max_finite(); ++bits) {
      const Rational x = value_of(bits, f);
      ASSERT_EQ(Patterns{bits}, patterns(x, f)) << f.name;
      if (bits == f.max_finite()) break;
      const Rational step = value_of(bits + 1, f) - x;
      for (const Rational& part : {step / 1000, step / 2, step * 999 / 1000}) {
        ASSERT_EQ((Patterns{bits, bits + 1}), patterns(x + part, f)) << f.name;
        if (f.is_signed && bits != 0) {
          ASSERT_EQ((Patterns{f.sign_bit() | (bits + 1), f.sign_bit() | bits}),
                    patterns(-x - part, f))
              << f.name;
        }
      }
    }
  }
  EXPECT_EQ((Patterns{0x3da8, 0x3da9}), patterns(Exact::square_root(2), binary16));
  EXPECT_EQ((Patterns{0x8001, 0}), patterns(-Rational::power_of_two(-2000), binary16));
  EXPECT_EQ((Patterns{0x81, 0}), patterns(-Rational::power_of_two(-2000), float8_e4m3fnuz));
  EXPECT_EQ(Patterns{0}, patterns(Rational::power_of_two(-2000), float8_e8m0fnu));
  EXPECT_THROW(patterns(-1, float8_e8m0fnu), NotRepresentable);
}

TEST(Admissible, StochasticRoundingTakesEveryKindOfNumber) {
  const auto patterns = [](const Real& x) {
    return stochastically_rounded(x, binary16).patterns();
  };
  using Patterns = std::vector<std::uint64_t>;
  EXPECT_EQ((Patterns{0x416f, 0x4170}), patterns(Transcendental::exp(1)));
  EXPECT_EQ((Patterns{0xbd8c, 0xbd8b}), patterns(Transcendental::log(Rational(1) / 4)));
  EXPECT_EQ(Patterns{0}, patterns(Transcendental::log(1)));
  EXPECT_EQ((Patterns{0x3d0a, 0x3d0b}), patterns(Root(2, 3)));
  EXPECT_EQ(Patterns{kTwo}, patterns(Root(8, 3)));
  EXPECT_EQ(Patterns{kInf}, patterns(Transcendental::exp(Rational::power_of_two(40))));
}

// 65536 would follow 65504 in binary16, 480 would follow 448 in float8_e4m3fn.
TEST(Admissible, StochasticRoundingOverflowsFromTheNextStepOn) {
  const auto rounded = [](const Exact& x, const NumberFormat& f,
                          Overflow overflow = Overflow::standard) {
    return stochastically_rounded(x, f, overflow).to_string();
  };
  const std::string largest = "{7bff = 0x1.ffcp+15}";
  EXPECT_EQ(largest, rounded(65504, binary16));
  EXPECT_EQ("{7bff = 0x1.ffcp+15, 7c00 = inf}", rounded(65505, binary16));
  EXPECT_EQ("{7bff = 0x1.ffcp+15, 7c00 = inf}", rounded(65535, binary16));
  EXPECT_EQ("{7c00 = inf}", rounded(65536, binary16));
  EXPECT_EQ("{fc00 = -inf}", rounded(-65536, binary16));
  EXPECT_EQ("{fc00 = -inf}", rounded(-70000, binary16));
  EXPECT_EQ("{fc00 = -inf, fbff = -0x1.ffcp+15}", rounded(-65505, binary16));
  EXPECT_EQ(largest, rounded(65505, binary16, Overflow::saturate));
  EXPECT_EQ(largest, rounded(70000, binary16, Overflow::saturate));
  EXPECT_EQ("{7e = 0x1.cp+8} or NaN", rounded(Rational(479), float8_e4m3fn));
  EXPECT_EQ("NaN", rounded(480, float8_e4m3fn));
  EXPECT_EQ("{7 = 0x1.8p+2}", rounded(7, float4_e2m1fn));
  EXPECT_EQ("{fe = 0x1p+127} or NaN", rounded(Rational::dyadic(3, 126), float8_e8m0fnu));
}

TEST(Admissible, SaysWhereAPatternLies) {
  const Admissible set = Admissible::between(binary16, kOne, kOne + 4);
  EXPECT_EQ(Rational(0), set.position(kOne));
  EXPECT_EQ(Rational(3) / 4, set.position(kOne + 3));
  EXPECT_EQ(Rational(1), set.position(kOne + 4));
  EXPECT_EQ(Rational(1) / 2, set.position(kTwo));  // outside
  Admissible open = set;
  open.add_non_finite();
  EXPECT_EQ(Rational(1) / 2, open.position(kNan));
  EXPECT_EQ(Rational(1) / 2, Admissible::of(binary16, kOne).position(kOne));
}

}  // namespace
}  // namespace ampcheck::reference
