#include "properties/generators/corners/unscale_corners.hpp"

#include <algorithm>

#include "properties/generators/corners/aim.hpp"
#include "reference/rounding.hpp"

namespace ampcheck::properties {

using namespace reference;  // the formats

UnscaleCorners draw_unscale_corners(Draw& draw) {
  const NumberFormat& f = *draw.pick({&binary32, &binary64});
  // Twice the largest number over 2 is what only S = 1/2 makes infinite.
  const bool overflows = draw.chance(5);
  const std::int64_t n = overflows ? 1 : draw.pick<std::int64_t>({1, 2, 3, 5, 6, 7, 10, 12});
  const int k = static_cast<int>(overflows     ? -1
                                 : draw.coin() ? draw.between(-20, 20)
                                 : draw.coin() ? draw.between(20, 110)
                                               : draw.between(-110, -20));
  UnscaleCorners made{
      &f, scalar(dyadic(n, k, binary32), binary32), n, {}, overflows || draw.coin()};
  const int highest = f.max_exponent() - std::max(k, 0);
  const Rational cotangent = Rational::power_of_two(k), times = made.comes_twice ? 2 : 1;
  for (std::size_t i = 0; i < kCorners; ++i) {
    const Aim aim = draw_aim(draw, RoundedOperation::unscale, draw_class(draw), f);
    std::uint64_t c = 0;
    for (int t = 0; t < kTriesOfAnAim; ++t) {
      const int exponent = draw_exponent(draw, aim.operand, f) - (draw.coin() ? k : 0);
      c = draw_at(draw, f, std::clamp(exponent, f.min_quantum(), highest), n);
      const std::uint64_t x =
          round_to(times * value_of(round_to(cotangent * value_of(c, f), f), f), f);
      if (f.is_finite(x) && operand_class(x, f) == aim.operand &&
          rounding_situation(value_of(x, f) / (cotangent * n), f) == aim.situation)
        break;
    }
    made.coefficients.push_back(c);
  }
  return made;
}

}  // namespace ampcheck::properties
