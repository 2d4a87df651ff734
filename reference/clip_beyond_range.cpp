#include "reference/clip_beyond_range.hpp"

#include <bit>
#include <utility>

#include "reference/shifted.hpp"

namespace ampcheck::reference {
namespace {

int exponent_above_count(const std::vector<GradientSets>& gradients) {
  std::size_t count = 0;
  for (const GradientSets& gradient : gradients) count += gradient.size();
  return static_cast<int>(std::bit_width(count));
}

Norm norm_below(std::vector<GradientSets> gradients, int down, const Policy& policy,
                NormOrder order) {
  for (GradientSets& gradient : gradients)
    for (Admissible& element : gradient) element = shifted(element, -down);
  return norm_of(gradients, policy, order, Exponents::unbounded);
}

}  // namespace

ClipBeyondRange::ClipBeyondRange(const Norm& wide, std::vector<GradientSets> gradients,
                                 const Number& limit, const Policy& policy, NormOrder order)
    : policy_(policy),
      limit_(limit),
      low_limit_{&binary64, 0},
      wide_{*wide.wide, std::nullopt, wide.exact},
      low_(Norm::non_finite()),
      down_(exponent_above_count(gradients)) {
  low_limit_.bits = round_to(value_of(limit) * Rational::power_of_two(-down_), binary64);
  low_ = norm_below(std::move(gradients), down_, policy, order);
}

Admissible ClipBeyondRange::operator()(const Admissible& element) const {
  Admissible result = clipped_by_norm(element, wide_, limit_, policy_);
  result.add(shifted(clipped_by_norm(shifted(element, -down_), low_, low_limit_, policy_), down_));
  return result;
}

}  // namespace ampcheck::reference
