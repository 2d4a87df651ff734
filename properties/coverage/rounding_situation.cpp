#include "properties/coverage/rounding_situation.hpp"

#include "reference/rounding.hpp"

namespace ampcheck::properties {

using reference::Exact;
using reference::NumberFormat;
using reference::Rational;
using reference::Rounding;

std::string_view name_of(RoundingSituation situation) {
  switch (situation) {
    case RoundingSituation::exact:
      return "exact";
    case RoundingSituation::below_half:
      return "below half";
    case RoundingSituation::tie_down:
      return "tie down";
    case RoundingSituation::tie_up:
      return "tie up";
    case RoundingSituation::above_half:
      return "above half";
    case RoundingSituation::carry:
      return "carry";
    case RoundingSituation::into_subnormal:
      return "into subnormal";
    case RoundingSituation::into_zero:
      return "into zero";
    case RoundingSituation::into_overflow:
      return "into overflow";
  }
  return "";
}

RoundingSituation rounding_situation(const Exact& x, const NumberFormat& f) {
  const Exact magnitude = x.abs();
  const std::uint64_t below = round_to(magnitude, f, Rounding::toward_zero);
  const Rational low = value_of(below, f);
  if (magnitude == Exact(low)) return RoundingSituation::exact;
  const std::uint64_t nearest = round_to(magnitude, f);
  if (!f.is_finite(nearest)) return RoundingSituation::into_overflow;
  if (nearest == 0) return RoundingSituation::into_zero;
  if (below < f.min_normal()) return RoundingSituation::into_subnormal;
  // Above the largest number, and nearer to it than to what would come next.
  if (below == f.max_finite()) return RoundingSituation::below_half;
  const Rational high = value_of(below + 1, f);
  if (nearest != below && high.is_power_of_two()) return RoundingSituation::carry;
  if (magnitude == Exact((low + high) / 2))
    return nearest == below ? RoundingSituation::tie_down : RoundingSituation::tie_up;
  return nearest == below ? RoundingSituation::below_half : RoundingSituation::above_half;
}

}  // namespace ampcheck::properties
