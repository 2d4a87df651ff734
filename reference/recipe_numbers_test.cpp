#include "reference/recipe_numbers.hpp"

#include <gtest/gtest.h>

#include <random>

#include "reference/batch_schedule.hpp"
#include "reference/emulation_test.hpp"
#include "reference/error_bounds.hpp"

namespace ampcheck::reference {
namespace {

Rational value(double x) { return value_of(number(binary64, x)); }
std::uint64_t bits32(float x) { return number(binary32, x).bits; }

// 64 examples in 7 micro-batches of 9 are 63.
TEST(RecipeNumbers, DecayThatRoundsNothingIsOneNumber) {
  for (const NumberFormat* f : {&binary32, &binary64}) {
    const Admissible set = scaled_weight_decay_in(*f, value(0x1p-11), 64, 128);
    ASSERT_TRUE(set.is_single()) << f->name;
    EXPECT_EQ(value_of(set.single(), *f), value(0x1p-10)) << f->name;
    EXPECT_TRUE(scaled_weight_decay_in(*f, value(0x1p-11), 64, 9)
                    .contains(round_to(value(63 * 0x1p-17), *f)));
    EXPECT_TRUE(scaled_weight_decay_in(*f, 0, 63, 7).is_single());
  }
  EXPECT_FALSE(scaled_weight_decay_in(binary64, value(0x1p-11), 63, 9 * 5).is_single());
  EXPECT_FALSE(scaled_weight_decay_in(binary64, value(0.0005), 64, 9).is_single());
}

// Goyal et al.: 256 -> 8192 is × 32.
TEST(RecipeNumbers, RateThatRoundsNothingIsOneNumber) {
  EXPECT_FALSE(scaled_rate_in(binary64, 1, 4, value(0.125), 64, 89).is_single());
  EXPECT_EQ(scaled_rate_in(binary64, 7, 4, value(0.125), 256, 8192).single(),
            number(binary64, 4).bits);
  EXPECT_EQ(scaled_rate_in(binary64, 1, 4, value(0.125), 256, 1024).single(),
            number(binary64, 0.21875).bits);
  EXPECT_FALSE(scaled_rate_in(binary64, 1, 5, value(0.125), 256, 1024).is_single());
  EXPECT_FALSE(scaled_rate_in(binary64, 1, 4, value(0.1), 256, 1024).is_single());
}

// Every form in binary32 and in binary64, narrowed or not.
TEST(RecipeNumbers, HoldWhatFormsComeTo) {
  std::mt19937_64 random(1);
  const auto between = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  for (int i = 0; i < 2000; ++i) {
    const double setting = std::ldexp(1 + std::ldexp(static_cast<double>(random() >> 12), -52),
                                      static_cast<int>(between(-12, 0)));
    const auto setting32 = static_cast<float>(setting);
    const std::int64_t nominal = between(1, 1000), batch = between(1, 300);
    const std::int64_t n = micro_batches(nominal, batch);
    const auto dn = static_cast<double>(nominal), db = static_cast<double>(batch),
               dm = static_cast<double>(n);
    const auto fn = static_cast<float>(nominal), fb = static_cast<float>(batch),
               fm = static_cast<float>(n);
    const Admissible decay32 = scaled_weight_decay_in(binary32, value(setting), nominal, batch),
                     decay64 = scaled_weight_decay_in(binary64, value(setting), nominal, batch);
    for (const double x : {setting * db * dm / dn, setting * (db * dm / dn), setting / dn * db * dm,
                           setting * dm * (db / dn), setting / (dn / (db * dm))}) {
      EXPECT_TRUE(decay64.contains(number(binary64, x).bits)) << i;
      EXPECT_TRUE(decay32.contains(bits32(static_cast<float>(x)))) << i;
    }
    for (const float x : {setting32 * fb * fm / fn, setting32 * (fb * fm / fn),
                          setting32 / fn * fb * fm, setting32 * fm * (fb / fn)})
      EXPECT_TRUE(decay32.contains(bits32(x))) << i;

    const std::int64_t warm_up = between(1, 500), step = between(0, 600);
    const double at = static_cast<double>(std::min(step, warm_up)),
                 dw = static_cast<double>(warm_up);
    const auto at32 = static_cast<float>(at), fw = static_cast<float>(dw);
    const Admissible rate32 =
                         scaled_rate_in(binary32, step, warm_up, value(setting), nominal, batch),
                     rate64 =
                         scaled_rate_in(binary64, step, warm_up, value(setting), nominal, batch);
    const double to = setting * db / dn, s = at / dw;
    const double q = dn / db;
    for (const double x :
         {setting + (to - setting) * at / dw, setting + (to - setting) * s,
          setting * (1 - s) + to * s, setting * (1 + (db / dn - 1) * s), to * (q + (1 - q) * s)}) {
      EXPECT_TRUE(rate64.contains(number(binary64, x).bits)) << i;
      EXPECT_TRUE(rate32.contains(bits32(static_cast<float>(x)))) << i;
    }
    const float to32 = setting32 * fb / fn, s32 = at32 / fw;
    for (const float x :
         {setting32 + (to32 - setting32) * at32 / fw, setting32 + (to32 - setting32) * s32,
          setting32 * (1 - s32) + to32 * s32, setting32 * (1 + (fb / fn - 1) * s32),
          to32 * (fn / fb + (1 - fn / fb) * s32)})
      EXPECT_TRUE(rate32.contains(bits32(x))) << i;
  }
}

// And not much more: a mistake of a few units is outside.
TEST(RecipeNumbers, AreNarrow) {
  const Admissible set = scaled_weight_decay_in(binary64, value(0.0005), 63, 20);
  EXPECT_LE(set.highest() - set.lowest(), 20u);
}

// 1 bit of the setting, 11 of 2^10 and 12 of 2^11 are 24, and one more is too many; so is a setting
// below 2^-60.
TEST(RecipeNumbers, AreOneNumberAsLongAsNothingRounds) {
  const auto is_single = [](double decay, std::int64_t nominal, std::int64_t batch) {
    return scaled_weight_decay_in(binary32, value(decay), nominal, batch).is_single();
  };
  EXPECT_TRUE(is_single(0x1p-11, 1 << 21, 1 << 10));
  EXPECT_FALSE(is_single(0x1p-11, 1 << 22, 1 << 10));
  EXPECT_FALSE(is_single(0x1.8p-11, 1 << 21, 1 << 10));
  EXPECT_TRUE(is_single(0x1p-60, 64, 8));
  EXPECT_FALSE(is_single(0x1p-61, 64, 8));
  EXPECT_FALSE(is_single(0x1p-11, 64, 9));
}

// Five roundings and ten, as they are written down.
TEST(RecipeNumbers, ReachAsFarAsTheirBoundsSay) {
  for (const NumberFormat* f : {&binary32, &binary64}) {
    const Rational setting = value(0.0007), decay = setting * 60 / 63, rate = setting * 300 / 7;
    const Rational five = decay * growth_bound(5, *f), nine = rate * growth_bound(10, *f);
    const Admissible of_decay = scaled_weight_decay_in(*f, setting, 63, 20);
    EXPECT_EQ(round_to(decay - five, *f), of_decay.lowest());
    EXPECT_EQ(round_to(decay + five, *f), of_decay.highest());
    const Admissible of_rate = scaled_rate_in(*f, 5, 5, setting, 7, 300);
    EXPECT_EQ(round_to(rate - nine, *f), of_rate.lowest());
    EXPECT_EQ(round_to(rate + nine, *f), of_rate.highest());
  }
}

}  // namespace
}  // namespace ampcheck::reference
