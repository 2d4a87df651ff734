#include <algorithm>

#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using reference::binary32;

// Scales below 1, a power of two or not, through unscale and step.
Case generate(Draw& draw) {
  const std::vector<TensorPlan> plans = draw_tensors(draw, 2);
  ExactWindow window = draw_exact_window(draw, plans, 1, 12);
  const int scale = static_cast<int>(draw.between(-12, -1));
  window.base = std::max(window.base, -2);  // S·c stays normal in binary16 as well
  window.bits = std::min(window.bits, 6);
  window.base = std::min(window.base, 2);
  ScalerPlan plan;
  plan.init_scale =
      draw.chance(3)
          ? scalar(draw_normal(draw, binary32, scale, scale) & ~binary32.sign_bit(), binary32)
          : scalar_power_of_two(scale, binary32);
  CaseBuilder builder;
  builder.scaler(plan)
      .sgd("o", parameters_of(plans))
      .backward(draw_micro_batch(draw, plans, window));
  if (draw.coin()) builder.unscale("o").observe(names("gradient", names_of(plans)));
  builder.step("o").observe(names("parameter", names_of(plans)));
  return builder.done();
}

AMPCHECK_CLAUSE("scaling/scale-below-one", kGradient | kParameter, generate);

}  // namespace
}  // namespace ampcheck::properties
