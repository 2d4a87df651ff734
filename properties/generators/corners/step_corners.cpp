#include "properties/generators/corners/step_corners.hpp"

#include <algorithm>

#include "properties/generators/corners/aim.hpp"
#include "reference/rounding.hpp"

namespace ampcheck::properties {

using namespace reference;  // the formats

StepCorners draw_step_corners(Draw& draw) {
  const NumberFormat& f = *draw.pick({&binary16, &bfloat16, &binary32, &binary64});
  const int log2_of_rate = static_cast<int>(
      draw.chance(3) ? draw.between(-f.precision() - 8, -f.precision() + 2) : draw.between(-8, 0));
  StepCorners made{&f, {}, {}, scalar_power_of_two(log2_of_rate, binary64)};
  const Rational rate = Rational::power_of_two(log2_of_rate);
  for (std::size_t i = 0; i + 1 < kCorners; ++i) {
    const Aim aim = draw_aim(draw, RoundedOperation::step,
                             f == binary16 ? OperandClass::normal : draw_class(draw), f);
    std::uint64_t p = 0, g = 0;
    for (int t = 0; t < kTriesOfAnAim; ++t) {
      const int exponent = draw_exponent(draw, aim.operand, f), distance = draw_distance(draw, f);
      const bool overflows = aim.situation == RoundingSituation::into_overflow;
      const int of_parameter =
          overflows ? f.max_exponent()
                    : exponent + log2_of_rate + (draw.chance(4) ? -distance : distance);
      g = draw_at(draw, f, exponent);
      p = aim.situation == RoundingSituation::into_zero || draw.chance(6)
              ? 0
              : draw_at(draw, f, std::clamp(of_parameter, f.min_quantum(), f.max_exponent()));
      if (rounding_situation(value_of(p, f) - rate * value_of(g, f), f) == aim.situation) break;
    }
    made.parameters.push_back(p);
    made.gradients.push_back(g);
  }
  made.parameters.push_back(0);
  made.gradients.push_back(power_of_two(0, f));
  return made;
}

}  // namespace ampcheck::properties
