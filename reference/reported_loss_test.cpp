#include "reference/reported_loss.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "reference/emulation_test.hpp"
#include "reference/error_bounds.hpp"

namespace ampcheck::reference {
namespace {

bool holds(const std::vector<Admissible>& sets, const Number& x) {
  return std::ranges::any_of(sets, [&](const Admissible& set) { return set.contains(x.bits); });
}

// 37 is a number of every format, and no power of two.
TEST(ReportedLoss, IsTheLossItselfUnderPowersOfTwo) {
  for (const NumberFormat* f : {&binary16, &bfloat16, &binary32, &binary64})
    for (const int exponent : {-8, 0, 8}) {
      const auto sets = reported_losses(number(*f, 37), 1, {Rational::power_of_two(exponent)}, {});
      ASSERT_EQ(1u, sets.size());
      EXPECT_EQ(number(*f, 37).bits, sets.front().single()) << f->name << " " << exponent;
    }
}

TEST(ReportedLoss, MayBeWhatTheLoopMakesOfIt) {
  const auto sets = reported_losses(number(binary32, 37), 4, {Rational(8)}, {});
  ASSERT_EQ(2u, sets.size());
  EXPECT_EQ(number(binary32, 37).bits, sets[0].single());
  EXPECT_EQ(number(binary32, 9.25).bits, sets[1].single());
}

// Twice what the scale was off by is no rounding, nor is a scale that has since moved.
TEST(ReportedLoss, HasNothingOfTheScale) {
  const float scale = 1000.1F;
  const auto sets =
      reported_losses(number(binary32, 37), 1, {value_of(number(binary32, scale))}, {});
  for (const float wrong : {37 * scale, 37 / scale, 37 * 2.0F, 37 * 0.5F, 36.9999F, 0.0F})
    EXPECT_FALSE(holds(sets, number(binary32, wrong))) << wrong;
  EXPECT_FALSE(sets.front().may_be_non_finite());
}

TEST(ReportedLoss, MayHaveBeenScaledAndUnscaled) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 2000; ++i) {
    const auto draw = [&] { return static_cast<float>(random() % 1000003 + 1) / 997; };
    const float loss = draw(), scale = draw();
    const auto n = static_cast<std::int64_t>(random() % 4 + 1);
    const auto sets =
        reported_losses(number(binary32, loss), n, {value_of(number(binary32, scale))}, {});
    const float scaled = loss * scale, mean = loss / static_cast<float>(n);
    const float scaled_mean = mean * scale;
    for (const float told : {loss, scaled / scale, scaled * (1 / scale), mean, scaled_mean / scale,
                             scaled_mean * (1 / scale)})
      EXPECT_TRUE(holds(sets, number(binary32, told))) << loss << " " << scale << " " << told;
  }
}

// 2^15·4 is beyond binary16, and so is a scale of 2^16; 2^-20 times 2^-120 underflows in binary32.
TEST(ReportedLoss, MayHaveOverflowedOrUnderflowed) {
  const auto of = [](const Number& loss, int exponent) {
    return reported_losses(loss, 1, {Rational::power_of_two(exponent)}, {}).front();
  };
  EXPECT_TRUE(of(number(binary16, 32768), 2).may_be_non_finite());
  EXPECT_TRUE(of(number(binary16, 0x1p-10), 16).may_be_non_finite());
  EXPECT_FALSE(of(number(binary16, 32768), 0).may_be_non_finite());
  const Number loss = number(binary32, 0x1.8p-20);
  EXPECT_TRUE(of(loss, -120).is_interval());
  EXPECT_TRUE(of(loss, -132).contains(0));
  EXPECT_TRUE(of(loss, -100).is_single());
}

TEST(ReportedLoss, OfZeroIsZero) {
  EXPECT_EQ(0u, reported_losses(number(binary32, 0), 1, {Rational(3)}, {}).front().single());
}

// The product, the loss itself and the reciprocal of the scale, each below 2^-126 and flushed; and
// a scale that is.
TEST(ReportedLoss, MayHaveBeenFlushed) {
  Policy flush;
  flush.may_flush = true;
  const struct {
    double loss;
    int scale;
  } cases[] = {{0x1.8p-126, -2}, {0x1.8p-127, 2}, {1.5, 127}, {1.5, -127}};
  for (const auto& [loss, scale] : cases) {
    const auto of = [&, x = loss, s = scale](const Policy& policy) {
      return reported_losses(number(binary32, x), 1, {Rational::power_of_two(s)}, policy).front();
    };
    EXPECT_TRUE(of(flush).contains(0)) << loss << " " << scale;
    EXPECT_FALSE(of({}).contains(0)) << loss << " " << scale;
    EXPECT_TRUE(of({}).contains(number(binary32, loss).bits));
  }
  EXPECT_FALSE(reported_losses(number(binary32, 1.5), 1, {Rational(4)}, flush).front().contains(0));
}

TEST(ReportedLoss, OfAnInfOrNanIsNone) {
  for (const std::uint64_t bits : {binary32.infinity(), binary32.nan()}) {
    const auto sets = reported_losses({&binary32, bits}, 1, {Rational(3)}, {});
    EXPECT_TRUE(sets.front().contains(bits));
    EXPECT_FALSE(sets.front().may_be_finite());
  }
}

// The header's four roundings, and what it says that underflows, written down again.
void expect_ends(const NumberFormat& f, double loss, double scale, const Policy& policy = {}) {
  const Rational x = rational(loss), s = rational(scale), one = 1;
  const Rational lost =
      policy.may_flush ? smallest_normal(f) : Rational::power_of_two(f.min_quantum()) / 2;
  const Rational relative = growth_bound(4, f);
  Rational error = relative * x;
  if (min(min(x, s), min(x * s, one / s)) < smallest_normal(f))
    error += lost * (x / s + one / s + x * s + one) * (one + relative);
  const Admissible set = reported_losses(number(f, loss), 1, {s}, policy).front();
  EXPECT_EQ(round_to(x - error, f), set.lowest()) << f.name << " " << loss << " " << scale;
  EXPECT_EQ(round_to(x + error, f), set.highest()) << f.name << " " << loss << " " << scale;
}

TEST(ReportedLoss, ReachesAsFarAsItsBoundSays) {
  for (const NumberFormat* f : {&float8_e5m2, &float8_e4m3fn, &binary16, &binary32})
    for (const double loss : {1.0, 1.25, 1.5, 1.75}) expect_ends(*f, loss, 3);
  // S, its reciprocal, and the product underflow.
  for (const double loss : {1.0, 0x1p-100, 0x1p100, 0x1.8p-145}) {
    expect_ends(binary32, loss, 0x1.8p-128);
    expect_ends(binary32, loss, 0x1.8p-149);
    expect_ends(binary32, loss, 0x1.8p-30);
  }
  expect_ends(binary32, 1.5, 0x1p127);
  expect_ends(binary32, 0x1p-100, 0x1p127);
  Policy flush;
  flush.may_flush = true;
  expect_ends(binary32, 0x1.8p-127, 3, flush);
}

// Each of four is the smallest normal number, and then half of it.
TEST(ReportedLoss, IsOnePatternAsLongAsNothingUnderflows) {
  const auto is_single = [](double loss, double scale) {
    return reported_losses(number(binary32, loss), 1, {rational(scale)}, {}).front().is_single();
  };
  EXPECT_TRUE(is_single(0x1p-120, 0x1p-6));
  EXPECT_FALSE(is_single(0x1p-120, 0x1p-7));
  EXPECT_TRUE(is_single(0x1p-126, 4));
  EXPECT_FALSE(is_single(0x1p-127, 4));
  EXPECT_TRUE(is_single(2, 0x1p-126));
  EXPECT_FALSE(is_single(2, 0x1p-127));
  EXPECT_TRUE(is_single(1, 0x1p126));
  EXPECT_FALSE(is_single(1, 0x1p127));
  Policy flush;
  flush.may_flush = true;
  const Admissible flushed =
      reported_losses(number(binary32, 1024), 1, {rational(0x1p-127)}, flush).front();
  EXPECT_TRUE(flushed.contains(0));
}

// Up to the largest number, roundings included, nothing overflows.
TEST(ReportedLoss, MayOverflowFromTheLargestNumberOn) {
  const auto may_overflow = [](double loss, const Rational& scale) {
    return reported_losses(number(binary16, loss), 1, {scale}, {}).front().may_be_non_finite();
  };
  const Rational largest = 65504, just = largest / (Rational(1) + growth_bound(4, binary16));
  EXPECT_FALSE(may_overflow(1, just));
  EXPECT_TRUE(may_overflow(1, just + 1));
  EXPECT_FALSE(may_overflow(0.5, largest));
  EXPECT_TRUE(may_overflow(0.5, largest + 1));
}

}  // namespace
}  // namespace ampcheck::reference
