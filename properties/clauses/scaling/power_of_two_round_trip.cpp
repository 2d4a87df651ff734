#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

// Any significand, as long as gradient and scaled gradient stay normal: nothing rounds on the way.
Case generate(Draw& draw) {
  const std::vector<TensorPlan> plans = draw_tensors(draw, 3);
  const ExactWindow window = draw_exact_window(draw, plans, 1, 2);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(window.scale, reference::binary32);
  CaseBuilder builder;
  builder.scaler(plan)
      .sgd("o", parameters_of(plans))
      .backward(draw_normal_micro_batch(draw, plans, window.base, window.base + window.bits))
      .unscale("o")
      .observe(names("gradient", names_of(plans)));
  return builder.done();
}

AMPCHECK_CLAUSE("scaling/power-of-two-round-trip", kGradient, generate);

}  // namespace
}  // namespace ampcheck::properties
