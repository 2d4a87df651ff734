#include "properties/generators/corners/sum_corners.hpp"

#include <algorithm>

#include "properties/generators/corners/aim.hpp"
#include "reference/rounding.hpp"

namespace ampcheck::properties {

using namespace reference;  // the formats

namespace {

// Two terms of which the sum is looked at, and the second one's class.
struct Terms {
  std::uint64_t first, second;
};

Terms draw_terms(Draw& draw, const NumberFormat& f) {
  const Aim aim = draw_aim(draw, RoundedOperation::accumulate, draw_class(draw), f);
  Terms terms{};
  for (int i = 0; i < kTriesOfAnAim; ++i) {
    const int exponent = draw_exponent(draw, aim.operand, f), distance = draw_distance(draw, f);
    const bool is_smaller = aim.operand == OperandClass::largest || draw.chance(4);
    const int other = exponent + (is_smaller ? -distance : distance);
    terms = {draw_at(draw, f, std::clamp(other, f.min_quantum(), f.max_exponent())),
             draw_at(draw, f, exponent)};
    const Rational sum = value_of(terms.first, f) + value_of(terms.second, f);
    if (rounding_situation(sum, f) == aim.situation) break;
  }
  return terms;
}

}  // namespace

SumCorners draw_sum_corners(Draw& draw) {
  const NumberFormat& f = *draw.pick({&binary32, &binary64});
  SumCorners made{&f, {}, {}};
  for (std::size_t i = 0; i < kCorners; ++i) {
    const Terms terms = draw_terms(draw, f);
    made.first.push_back(terms.first);
    made.second.push_back(terms.second);
  }
  return made;
}

}  // namespace ampcheck::properties
