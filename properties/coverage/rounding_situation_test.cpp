#include "properties/coverage/rounding_situation.hpp"

#include <gtest/gtest.h>

#include "reference/rounding.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// Numbers of binary16 have an ulp of 2^-10 from 1 to 2.
TEST(RoundingSituation, IsWhatRoundingDoes) {
  const Rational ulp = Rational::power_of_two(-10), one = 1;
  const struct {
    Exact x;
    RoundingSituation expected;
  } cases[] = {
      {0, RoundingSituation::exact},
      {one + ulp, RoundingSituation::exact},
      {Rational::power_of_two(-24), RoundingSituation::exact},
      {one + ulp / 4, RoundingSituation::below_half},
      {one + ulp / 2, RoundingSituation::tie_down},
      {one + ulp * 3 / 2, RoundingSituation::tie_up},
      {one + ulp * 3 / 4, RoundingSituation::above_half},
      {one * 2 - ulp / 4, RoundingSituation::carry},
      {one * 2 - ulp / 2, RoundingSituation::carry},
      {Rational::power_of_two(-14) - Rational::power_of_two(-26),
       RoundingSituation::into_subnormal},
      {Rational::power_of_two(-24) * 3 / 4, RoundingSituation::into_subnormal},
      {Rational::power_of_two(-24) * 9 / 4, RoundingSituation::into_subnormal},
      {Rational::power_of_two(-25), RoundingSituation::into_zero},
      {Rational(65519), RoundingSituation::below_half},
      {Rational(65520), RoundingSituation::into_overflow},
      {Exact::square_root(2), RoundingSituation::below_half},
      {Exact::square_root(3), RoundingSituation::above_half},
  };
  for (const auto& [x, expected] : cases) {
    EXPECT_EQ(expected, rounding_situation(x, binary16)) << x.to_string();
    EXPECT_EQ(expected, rounding_situation(-x, binary16)) << x.to_string();
  }
}

// Of all the points between two numbers, in eights of the distance: what is rounded agrees.
TEST(RoundingSituation, AgreesWithRounding) {
  for (const NumberFormat* f : {&float8_e4m3fn, &float8_e5m2})
    for (std::uint64_t bits = 0; bits < f->max_finite(); ++bits)
      for (int eighth = 1; eighth < 8; ++eighth) {
        const Rational low = value_of(bits, *f), high = value_of(bits + 1, *f);
        const Rational x = low + (high - low) * eighth / 8;
        const bool up = round_to(x, *f) == bits + 1;
        switch (rounding_situation(x, *f)) {
          case RoundingSituation::below_half:
            EXPECT_TRUE(eighth < 4 && !up);
            break;
          case RoundingSituation::tie_down:
            EXPECT_TRUE(eighth == 4 && !up);
            break;
          case RoundingSituation::tie_up:
            EXPECT_TRUE(eighth == 4 && up);
            break;
          case RoundingSituation::above_half:
            EXPECT_TRUE(eighth > 4 && up);
            break;
          case RoundingSituation::carry:
            EXPECT_TRUE(up && high.is_power_of_two());
            break;
          case RoundingSituation::into_subnormal:
            EXPECT_TRUE(low < value_of(f->min_normal(), *f) && round_to(x, *f) != 0);
            break;
          case RoundingSituation::into_zero:
            EXPECT_EQ(0u, round_to(x, *f));
            break;
          default:
            ADD_FAILURE() << x.to_string() << " in " << f->name;
        }
      }
}

}  // namespace
}  // namespace ampcheck::properties
