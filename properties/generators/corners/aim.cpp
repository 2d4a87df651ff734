#include "properties/generators/corners/aim.hpp"

#include <algorithm>

#include "properties/coverage/unreachable.hpp"

namespace ampcheck::properties {

Aim draw_aim(Draw& draw, RoundedOperation operation, OperandClass operand, const NumberFormat& f) {
  for (;;) {
    const auto situation = static_cast<RoundingSituation>(draw.between(0, kRoundingSituations - 1));
    if (why_unreachable({operation, &f, operand, situation}).empty()) return {operand, situation};
  }
}

OperandClass draw_class(Draw& draw) {
  return draw.pick({OperandClass::subnormal, OperandClass::normal, OperandClass::largest});
}

std::uint64_t draw_at(Draw& draw, const NumberFormat& f, int exponent, std::int64_t odd) {
  const std::uint64_t one = std::uint64_t{1} << f.fraction_bits;
  std::uint64_t significand = one;
  switch (draw.between(0, 4)) {
    case 0:
      break;
    case 1:
      significand = 2 * one - 1;
      break;
    case 2:
      significand |= (draw.bits() & 3) << (f.fraction_bits - 2);
      significand |= draw.bits() & 3;
      break;
    case 3:
      significand = (one << 9) / static_cast<std::uint64_t>(odd);
      while (significand >= 2 * one) significand /= 2;
      break;
    default:
      significand |= draw.bits() & f.fraction_mask();
  }
  const std::uint64_t sign = draw.coin() ? f.sign_bit() : 0;
  if (exponent > f.max_exponent()) return sign | f.max_finite();
  if (exponent < f.min_exponent()) {
    const int cut = f.min_exponent() - exponent;
    return sign | std::max<std::uint64_t>(1, cut > f.fraction_bits ? 0 : significand >> cut);
  }
  const std::uint64_t magnitude = static_cast<std::uint64_t>(exponent + f.bias())
                                      << f.fraction_bits |
                                  (significand & f.fraction_mask());
  return sign | std::min(magnitude, f.max_finite());
}

int draw_exponent(Draw& draw, OperandClass wanted, const NumberFormat& f) {
  const auto between = [&](int low, int high) { return static_cast<int>(draw.between(low, high)); };
  if (wanted == OperandClass::subnormal) return between(f.min_quantum(), f.min_exponent() - 1);
  if (wanted == OperandClass::largest) return f.max_exponent();
  switch (draw.between(0, 3)) {
    case 0:
      return between(f.min_exponent(), f.min_exponent() + 3);
    case 1:
      return between(f.max_exponent() - f.precision() - 2, f.max_exponent() - 1);
    default:
      return between(f.min_exponent(), f.max_exponent() - 1);
  }
}

int draw_distance(Draw& draw, const NumberFormat& f) {
  const int p = f.precision();
  return static_cast<int>(draw.chance(3) ? draw.between(0, p - 2) : draw.between(p - 2, p + 1));
}

}  // namespace ampcheck::properties
