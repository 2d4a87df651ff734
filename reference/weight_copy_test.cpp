#include "reference/weight_copy.hpp"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

#include "reference/emulation_test.hpp"
#include "reference/sgd_step.hpp"

namespace ampcheck::reference {
namespace {

std::uint64_t bits(const NumberFormat& f, double x) { return number(f, x).bits; }

Admissible copy_of(double master, CopyRounding rounding) {
  return weight_copy(Admissible::of(number(binary32, master)), binary16, rounding);
}

TEST(WeightCopy, IsTheRoundedMaster) {
  EXPECT_EQ(bits(binary16, 1), copy_of(1 + 0x1p-11, CopyRounding::nearest_even).single());
  EXPECT_EQ(bits(binary16, 1 + 0x1p-10),
            copy_of(1 + 0x1.8p-11, CopyRounding::nearest_even).single());
  EXPECT_EQ(binary16.infinity(), copy_of(65520, CopyRounding::nearest_even).single());
}

TEST(WeightCopy, IsANeighbourWhereRoundingIsStochastic) {
  const Admissible set = copy_of(1 + 0x1p-14, CopyRounding::stochastic);
  EXPECT_EQ((std::vector{bits(binary16, 1), bits(binary16, 1 + 0x1p-10)}), set.patterns());
  EXPECT_EQ(bits(binary16, 1.5), copy_of(1.5, CopyRounding::stochastic).single());
  EXPECT_EQ(binary16.infinity(), copy_of(INFINITY, CopyRounding::stochastic).single());
}

// p = 1, g = -1, lr = 2^-12, 4096 times: 2 where a master adds up what the copy cannot show, 1
// where the copy itself is moved.
TEST(WeightCopy, OfAMasterSeesSmallUpdatesAddUp) {
  const Hyper rate{{"lr", number(binary32, 0x1p-12)}};
  Policy narrow;
  narrow.narrow_accumulator = true;
  Admissible master = Admissible::of(number(binary32, 1));
  Admissible alone = Admissible::of(number(binary16, 1));
  for (int i = 0; i < 4096; ++i) {
    const auto moved = [&](const Admissible& p) {
      return sgd_step(p, Admissible::of(number(binary16, -1)), {}, rate, narrow).parameter;
    };
    master = moved(master);
    alone = moved(alone);
  }
  EXPECT_EQ(bits(binary16, 2), weight_copy(master, binary16, CopyRounding::nearest_even).single());
  EXPECT_EQ(bits(binary16, 1), alone.single());
}

TEST(ChanceOfRoundingUp, IsWhereTheNumberLies) {
  EXPECT_EQ(Rational(1) / 16, chance_of_rounding_up(rational(1 + 0x1p-14), binary16));
  EXPECT_EQ(Rational(15) / 16, chance_of_rounding_up(rational(-1 - 0x1p-14), binary16));
  EXPECT_EQ(Rational(0), chance_of_rounding_up(rational(-1), binary16));
  EXPECT_EQ(Rational(1) / 2, chance_of_rounding_up(rational(0x1p-25), binary16));
  EXPECT_EQ(Rational(0), chance_of_rounding_up(65504, binary16));
  EXPECT_THROW(chance_of_rounding_up(65505, binary16), std::domain_error);
}

TEST(IsPlausible, BoundsTheBinomialTail) {
  // 2^-30 is less than 10^-9/2, 2^-29 is not.
  EXPECT_TRUE(is_plausible(29, 29, Rational(1) / 2));
  EXPECT_TRUE(is_plausible(30, 30, Rational(1) / 2));
  EXPECT_FALSE(is_plausible(31, 31, Rational(1) / 2));
  EXPECT_FALSE(is_plausible(0, 31, Rational(1) / 2));
  EXPECT_TRUE(is_plausible(1, 1, Rational(1) / 2));
  EXPECT_TRUE(is_plausible(512, 1024, Rational(1) / 2));
  EXPECT_FALSE(is_plausible(1024 / 2 + 120, 1024, Rational(1) / 2));
}

TEST(IsPlausible, OfWhatIsCertain) {
  EXPECT_TRUE(is_plausible(0, 10, 0));
  EXPECT_FALSE(is_plausible(1, 10, 0));
  EXPECT_TRUE(is_plausible(10, 10, 1));
  EXPECT_FALSE(is_plausible(9, 10, 1));
}

// Unbiased rounding passes, and what always truncates or always takes half does not.
TEST(IsPlausible, TellsBiasedRounding) {
  std::mt19937_64 random(1);
  for (const int sixteenths : {1, 5, 8, 15}) {
    std::int64_t unbiased = 0, half = 0;
    for (int i = 0; i < 4096; ++i) {
      unbiased += static_cast<int>(random() % 16) < sixteenths ? 1 : 0;
      half += static_cast<int>(random() % 2);
    }
    const Rational chance = Rational(sixteenths) / 16;
    EXPECT_TRUE(is_plausible(unbiased, 4096, chance));
    EXPECT_FALSE(is_plausible(0, 4096, chance));
    EXPECT_EQ(sixteenths == 8, is_plausible(half, 4096, chance));
  }
}

TEST(IsPlausible, RefusesWhatIsNoExperiment) {
  EXPECT_THROW(is_plausible(0, 0, 0), std::invalid_argument);
  EXPECT_THROW(is_plausible(-1, 4, 0), std::invalid_argument);
  EXPECT_THROW(is_plausible(5, 4, 0), std::invalid_argument);
  EXPECT_THROW(is_plausible(1, 4, -1), std::invalid_argument);
  EXPECT_THROW(is_plausible(1, 4, 2), std::invalid_argument);
}

}  // namespace
}  // namespace ampcheck::reference
