// The second oracle's arithmetic, worked out by hand.
#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>

#include "reference/second_oracle.hpp"

namespace ampcheck::reference::second {
namespace {

const Layout& binary16 = kLayouts[0];
const Layout& binary32 = kLayouts[2];
const Layout& binary64 = kLayouts[3];
const Layout& e4m3fn = kLayouts[4];

TEST(SecondOracle, RefusesBitsThatNobodyKnows) {
  const auto normal = [](int bit, bool more) {
    return normalized({false, uint128{1} << bit, 0, more});
  };
  EXPECT_TRUE(normal(119, true).more);
  EXPECT_EQ(-1, normal(118, false).exponent);
  EXPECT_THROW(normal(118, true), std::logic_error);
  EXPECT_THROW(normal(120, false), std::logic_error);
  const Value one{false, 1, 0, false}, more{false, 1, 0, true};
  EXPECT_THROW(sum(one, more), std::logic_error);
  EXPECT_THROW(sum(more, one), std::logic_error);
}

// c - (2^52 - 1)·(2^52 + 1)·2^-158 = c - 2^-54 + 2^-158 with c the number below 1: by 2^-158 above
// the tie, of which c - 2^-53 is the even end.
TEST(SecondOracle, TakesLessThanAWholeBitAway) {
  const std::uint64_t bit = std::uint64_t{1} << 52;
  const Value a{true, bit - 1, -79}, b{false, bit + 1, -79}, c{false, 2 * bit - 1, -53};
  EXPECT_EQ(0x3fefffffffffffffu, rounded(fused(a, b, c), binary64));
}

// 1 - 2^-1024: all of the smaller one lies below what is kept.
TEST(SecondOracle, AddsFarApart) {
  const Value x = sum({false, 1, 0}, {true, 1, -1024});
  EXPECT_EQ(0x3c00u, rounded(x, binary16));
  EXPECT_EQ(0x3bffu, rounded(x, binary16, Mode::toward_zero));
}

TEST(SecondOracle, MultipliesUpTo120Bits) {
  const auto of = [](int bits) { return Value{false, (uint128{1} << bits) - 1, 0}; };
  EXPECT_EQ(120, bit_length(product(of(60), of(60)).significand));
  EXPECT_THROW(product(of(61), of(60)), std::logic_error);
}

// r² <= x·2^118 < (r + 1)² for the first 60 bits r.
TEST(SecondOracle, TakesRootsOf60Bits) {
  for (const std::uint64_t x : {2, 3, 5, 7}) {
    const Value root = square_root({false, x, 0});
    EXPECT_EQ(120, bit_length(root.significand));
    const uint128 r = root.significand >> 60;
    const uint128 radicand = uint128{x} << (x < 4 ? 118 : 116);
    EXPECT_TRUE(r * r <= radicand && radicand < (r + 1) * (r + 1)) << x;
  }
}

// 1 + 2^-11 lies half way between 1, which is even, and 1 + 2^-10.
TEST(SecondOracle, RoundsAboutATie) {
  const Value one = normalized({false, 1, 0}), tie = normalized({false, 2049, -11});
  const auto above = [](Value x) {
    x.more = true;
    return x;
  };
  EXPECT_EQ(0x3c00u, rounded(tie, binary16));
  EXPECT_EQ(0x3c01u, rounded(above(tie), binary16));
  EXPECT_EQ(0x3c00u, rounded(above(one), binary16));
  EXPECT_EQ(0x3c01u, rounded(tie, binary16, Mode::nearest_away));
  EXPECT_EQ(0x3c00u, rounded(above(one), binary16, Mode::nearest_away));
  EXPECT_EQ(0x3c00u, rounded(one, binary16, Mode::up));
  EXPECT_EQ(0x3c01u, rounded(above(one), binary16, Mode::up));
}

// 480 has the exponent of the largest number, 448, and the pattern of NaN; 464 is a tie.
TEST(SecondOracle, OverflowsInsideTheLastBinade) {
  EXPECT_EQ(0x7eu, rounded({false, 464, 0}, e4m3fn));
  EXPECT_EQ(0x7fu, rounded({false, 480, 0}, e4m3fn));
  EXPECT_EQ(0x7eu, rounded({false, 480, 0}, e4m3fn, Mode::nearest_even, true));
}

TEST(SecondOracle, DividesZeroOfBothSigns) {
  const Value minus{true, 0, 0}, zero{}, one{false, 1, 0};
  EXPECT_TRUE(quotient(minus, one).negative);
  EXPECT_FALSE(quotient(zero, one).negative);
}

// 1 + 2^-119.
TEST(SecondOracle, RoundsTheLastOf120BitsUp) {
  const Value x{false, (uint128{1} << 119) + 1, -119};
  EXPECT_EQ(0x3c01u, rounded(x, binary16, Mode::up));
  EXPECT_EQ(0x3c00u, rounded(x, binary16));
}

// float8_e8m0fnu: 2^(bits - 127), and NaN.
TEST(SecondOracle, KnowsTheScaleOfMx) {
  const Layout& f = kLayouts[9];
  ASSERT_TRUE(only_exponent(f));
  for (const auto& [bits, exponent] : {std::pair{0, -127}, {254, 127}}) {
    const Value x = decode(static_cast<std::uint64_t>(bits), f);
    EXPECT_TRUE(!x.negative && x.significand == 1 && x.exponent == exponent) << bits;
  }
  EXPECT_EQ(Kind::nan, decode(255, f).kind);
  EXPECT_EQ(254u, largest(f));
  const auto nearest = [&](std::uint64_t x) { return rounded({false, x, 0}, f); };
  EXPECT_EQ(127u, nearest(1));
  EXPECT_EQ(128u, nearest(2));
  EXPECT_EQ(129u, nearest(3));  // a tie
  EXPECT_EQ(129u, nearest(5));
  EXPECT_EQ(130u, nearest(11));
  EXPECT_EQ(131u, nearest(12));
  const auto up = [&](std::uint64_t x, bool more) {
    return rounded({false, x, 0, more}, f, Mode::up);
  };
  EXPECT_EQ(127u, up(1, false));
  EXPECT_EQ(128u, up(1, true));
  EXPECT_EQ(129u, up(3, false));
  const Value too_large{false, 1, 128};
  EXPECT_EQ(255u, rounded(too_large, f));
  EXPECT_EQ(255u, rounded(too_large, f, Mode::up));
  EXPECT_EQ(254u, rounded(too_large, f, Mode::nearest_even, true));
  EXPECT_EQ(254u, rounded(too_large, f, Mode::toward_zero));
  EXPECT_EQ(254u, rounded(too_large, f, Mode::down));
  EXPECT_THROW(rounded({}, f), std::logic_error);
  EXPECT_THROW(rounded({true, 1, 0}, f), std::logic_error);
  EXPECT_EQ(255u, converted(0xff800000, binary32, f));
}

// What is too large becomes inf only where the rounding goes away from zero.
TEST(SecondOracle, OverflowsAwayFromZeroOnly) {
  const auto narrow = [&](std::uint64_t bits, Mode mode) {
    return rounded(decode(bits, binary32), binary16, mode);
  };
  constexpr std::uint64_t kMillion = 0x49742400, kMinus = 0xc9742400;
  EXPECT_EQ(0x7c00u, narrow(kMillion, Mode::up));
  EXPECT_EQ(0x7bffu, narrow(kMillion, Mode::down));
  EXPECT_EQ(0xfbffu, narrow(kMinus, Mode::up));
  EXPECT_EQ(0xfc00u, narrow(kMinus, Mode::down));
  EXPECT_EQ(0xfbffu, narrow(kMinus, Mode::toward_zero));
}

}  // namespace
}  // namespace ampcheck::reference::second
