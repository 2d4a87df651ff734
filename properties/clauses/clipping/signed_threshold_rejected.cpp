#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// A clip to a limit below 0, or NaN; what follows steps on gradients that no one clipped.
Case generate(Draw& draw) {
  const std::vector<TensorPlan> plans = draw_tensors(draw, 3);
  const ExactWindow window = draw_exact_window(draw, plans, 1, 2);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(window.scale, binary32);
  // Beside the gradients, far above or below them, and at the ends of the range.
  const std::uint64_t below =
      draw.pick({power_of_two(window.base + window.bits, binary32),
                 draw_normal(draw, binary32, -20, 20), std::uint64_t{1}, binary32.infinity()}) |
      binary32.sign_bit();
  const Scalar limit = scalar(draw.chance(4) ? binary32.nan() : below, binary32);
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", parameters_of(plans));
  builder.backward(draw_micro_batch(draw, plans, window)).unscale("o");
  draw.coin() ? builder.clip_norm({"o"}, limit) : builder.clip_value({"o"}, limit);
  builder.add(subject::Observe{}).observe(names("gradient", names_of(plans)));
  builder.step("o").observe(names("parameter", names_of(plans))).update();
  return builder.done();
}

AMPCHECK_CLAUSE("clipping/signed-threshold-rejected", kRefusal | kGradient | kParameter, generate);

}  // namespace
}  // namespace ampcheck::properties
