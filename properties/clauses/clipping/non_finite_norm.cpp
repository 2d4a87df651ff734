#include <algorithm>

#include "properties/clause.hpp"
#include "properties/generators/far_gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// The largest exponent that leaves the largest of the integers a number of the format.
int highest_base(const SquareSum& sum, const NumberFormat& f) {
  const std::int64_t largest = std::ranges::max(sum.integers);
  int base = f.max_exponent();
  while ((largest >> (f.max_exponent() - base)) > 1) --base;
  return base;
}

// Finite gradients with squares beyond binary32, and often a norm beyond it; or, of binary16, a
// norm beyond that format. They are clipped to what a step can show.
void add_overflow(Draw& draw, CaseBuilder& builder) {
  const SquareSum sum = draw_square_sum(draw);
  const bool is_narrow = draw.chance(5);
  const int highest = highest_base(sum, is_narrow ? binary16 : binary32);
  const int base = is_narrow || draw.coin() ? highest : static_cast<int>(draw.between(64, highest));
  const Pieces far = draw_far_gradients(draw, sum, base);
  ScalerPlan plan;
  plan.init_scale =
      scalar_power_of_two(static_cast<int>(is_narrow ? 0 : draw.between(-8, 0)), binary32);
  const int limit = static_cast<int>(draw.between(-4, 4));
  builder.scaler(plan)
      .sgd("o", parameters_of(far.plans))
      .backward(far.coefficients)
      .unscale("o")
      .clip_norm({"o"}, scalar(dyadic(sum.norm, limit, binary32), binary32));
  builder.step("o").observe(names("parameter", names_of(far.plans)));
}

// An inf or a NaN among moderate gradients, clipped by their norm, by value, or both.
void add_non_finite(Draw& draw, CaseBuilder& builder) {
  const NormWindow window = draw_norm_window(draw);
  std::vector<subject::Coefficients> micro_batch = window.coefficients;
  std::vector<Tensor*> filled;
  for (subject::Coefficients& c : micro_batch)
    if (!c.values.bits.empty()) filled.push_back(&c.values);
  Tensor& values = *draw.pick(filled);
  values.bits[static_cast<std::size_t>(draw.between(0, std::ssize(values.bits) - 1))] =
      draw_non_finite(draw, *values.format);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(window.scale, binary32);
  const Scalar limit = scalar_power_of_two(window.base - 2, binary32);
  const std::int64_t clips = draw.between(0, 2);
  builder.scaler(plan).sgd("o", parameters_of(window.plans)).backward(std::move(micro_batch));
  builder.unscale("o");
  if (clips != 0) builder.clip_value({"o"}, limit);
  if (clips != 1) builder.clip_norm({"o"}, limit);
  builder.step("o").observe(names("parameter", names_of(window.plans)));
}

Case generate(Draw& draw) {
  CaseBuilder builder;
  draw.chance(4) ? add_non_finite(draw, builder) : add_overflow(draw, builder);
  builder.update();
  return builder.done();
}

AMPCHECK_CLAUSE("clipping/non-finite-norm", kStepped | kParameter | kTrueNorm, generate);

}  // namespace
}  // namespace ampcheck::properties
