#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

// Several windows in which the scale grows, backs off, or stays. Half of them unscale on their own,
// the others leave it to the step.
Case generate(Draw& draw) {
  const std::vector<TensorPlan> plans = draw_tensors(draw, 2);
  const ExactWindow window = draw_exact_window(draw, plans, 1, 6);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(window.scale, reference::binary32);
  plan.growth_interval = static_cast<int>(draw.between(1, 2));
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", parameters_of(plans));
  const std::int64_t windows = draw.between(2, 4);
  for (std::int64_t w = 0; w < windows; ++w) {
    std::vector<subject::Coefficients> micro_batch = draw_micro_batch(draw, plans, window);
    if (draw.chance(4)) {
      Tensor& values = micro_batch.back().values;
      values.bits.front() = draw_non_finite(draw, *values.format);
    }
    builder.backward(std::move(micro_batch));
    if (draw.coin()) builder.unscale("o").observe(names("gradient", names_of(plans)));
    builder.step("o").update().observe(names("parameter", names_of(plans)));
    builder.observe({"scale"}).zero_grad("o");
  }
  return builder.done();
}

AMPCHECK_CLAUSE("scaling/unscale-with-the-scale-that-scaled", kGradient | kParameter, generate);

}  // namespace
}  // namespace ampcheck::properties
