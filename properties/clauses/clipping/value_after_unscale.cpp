#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using reference::binary32;

// Limits between the elements, so that some are clipped and some are not, and S so large that
// comparing scaled gradients with the bare limit would clip them all.
Case generate(Draw& draw) {
  const std::vector<TensorPlan> plans = draw_tensors(draw, 2);
  ExactWindow window = draw_exact_window(draw, plans, 1, 2);
  window.scale = window.scale == 0 ? 1 : window.scale;
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(window.scale, binary32);
  const std::int64_t most = (std::int64_t{1} << window.bits) - 1;
  const std::int64_t limit = draw.chance(12) ? 0 : draw.between(1, most);
  CaseBuilder builder;
  builder.scaler(plan)
      .sgd("o", parameters_of(plans))
      .backward(draw_micro_batch(draw, plans, window))
      .unscale("o")
      .clip_value({"o"}, scalar(dyadic(limit, window.base, binary32), binary32))
      .observe(names("gradient", names_of(plans)));
  return builder.done();
}

AMPCHECK_CLAUSE("clipping/value-after-unscale", kGradient, generate);

}  // namespace
}  // namespace ampcheck::properties
