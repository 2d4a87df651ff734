// The second oracle's sets, worked out by hand.
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "reference/second_oracle.hpp"

namespace ampcheck::reference::second {
namespace {

const Layout& binary16 = kLayouts[0];
const Layout& binary32 = kLayouts[2];
const Layout& e4m3fn = kLayouts[4];
const Layout& e5m2 = kLayouts[5];
const Layout& e4m3fnuz = kLayouts[6];
const Layout& e2m1fn = kLayouts[12];

using Patterns = std::set<std::uint64_t>;

// x/5 is 1.125 + 2^-11, half way between 1.125 and the next number of binary16. 1.125 is half way
// between 1 and 1.25 in e5m2. Both times the lower number is even. The exact quotient lies above
// the second tie, and so does what is multiplied with 1/5: in binary32 that is (1 + 2^-26)/5, in
// binary64 (1 + 2^-54)/5.
TEST(SecondOracleSets, OnlyDivisionFallsOnTwoTies) {
  const Value x{false, 2305 * 5, -11}, five{false, 5, 0};
  const auto by = [&](Unscale how) { return unscaled(x, five, how, binary16, e5m2); };
  EXPECT_EQ((Patterns{0x3c, 0x3d}), by(Unscale::division));
  EXPECT_EQ((Patterns{0x3d}), by(Unscale::reciprocal_binary32));
  EXPECT_EQ((Patterns{0x3d}), by(Unscale::reciprocal_binary64));
  EXPECT_EQ((Patterns{0x3c, 0x3d}), by(Unscale::any));
}

// x/3 is 1 + 3·2^-11, half way between 1 + 2^-10 and 1 + 2^-9, which is even. 1/3 is (1 + 2^-25)/3
// in binary32, and (1 - 2^-54)/3 in binary64.
TEST(SecondOracleSets, OnlyTheLongReciprocalLiesBelowATie) {
  const Value x{false, 2051 * 3, -11}, three{false, 3, 0};
  const auto by = [&](Unscale how) { return unscaled(x, three, how, binary16, binary16); };
  EXPECT_EQ((Patterns{0x3c02}), by(Unscale::division));
  EXPECT_EQ((Patterns{0x3c02}), by(Unscale::reciprocal_binary32));
  EXPECT_EQ((Patterns{0x3c01, 0x3c02}), by(Unscale::reciprocal_binary64));
  EXPECT_EQ((Patterns{0x3c01, 0x3c02}), by(Unscale::any));
}

// 1/S is 2^128, inf in binary32. What the formats have for inf and for zero differs.
TEST(SecondOracleSets, UnscaledByAReciprocalThatOverflows) {
  const Value scale{false, 1, -128};
  const auto by = [&](const Value& x, const Layout& g) {
    return unscaled(x, scale, Unscale::reciprocal_binary32, binary16, g);
  };
  const Value tiny{true, 1, -128}, zero{true, 0, 0};
  EXPECT_EQ((Patterns{0xbc00, 0xfc00}), by(tiny, binary16));
  EXPECT_EQ((Patterns{0xb8, kAnyNan}), by(tiny, e4m3fn));
  EXPECT_EQ((Patterns{0xc0, kAnyNan}), by(tiny, e4m3fnuz));
  EXPECT_EQ((Patterns{0xa, 0xf}), by(tiny, e2m1fn));
  EXPECT_EQ((Patterns{0, kAnyNan}), by(zero, binary16));
}

// S is 0 in binary32, by which nothing is divided.
TEST(SecondOracleSets, UnscaledByAScaleBelowBinary32) {
  const Value scale{false, 1, -200};
  EXPECT_EQ((Patterns{0x4000}),
            unscaled({false, 1, -199}, scale, Unscale::division, binary32, binary16));
}

TEST(SecondOracleSets, DeliveredIsTheProduct) {
  const auto times = [](std::uint64_t s, std::uint64_t c) {
    return delivered(decode(s, binary16), decode(c, binary16), binary16);
  };
  constexpr std::uint64_t kOne = 0x3c00, kTwo = 0x4000, kMinus = 0xbc00, kInf = 0x7c00,
                          kNan = 0x7e00, kLargest = 0x7bff;
  EXPECT_EQ(kTwo, times(kTwo, kOne));
  EXPECT_EQ(0xfc00u, times(kLargest, 0xc000));
  EXPECT_EQ(0u, times(kMinus, 0));
  EXPECT_EQ(0u, times(0x8001, 1));  // 2^-48
  EXPECT_EQ(kInf, times(kInf, kTwo));
  EXPECT_EQ(0xfc00u, times(kMinus, kInf));
  EXPECT_EQ(kInf, times(0xfc00, kMinus));
  for (const auto& [s, c] :
       {std::pair{kInf, std::uint64_t{0}}, {std::uint64_t{0}, kInf}, {kNan, kOne}, {kOne, kNan}})
    EXPECT_EQ(kAnyNan, times(s, c)) << s << " " << c;
}

// As inf is converted.
TEST(SecondOracleSets, DeliveredWhereThereIsNoInf) {
  const Value inf{true, 0, 0, false, Kind::infinity}, one{false, 1, 0}, zero{}, large{true, 1, 10};
  for (const Layout* f : {&e4m3fn, &e4m3fnuz})
    for (const Value& s : {inf, large}) EXPECT_EQ(kAnyNan, delivered(s, one, *f)) << f->name;
  for (const Value& s : {inf, large}) EXPECT_EQ(0xfu, delivered(s, one, e2m1fn));
  EXPECT_EQ(kAnyNan, delivered(inf, zero, e4m3fn));
}

}  // namespace
}  // namespace ampcheck::reference::second
