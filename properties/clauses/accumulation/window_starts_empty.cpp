#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using reference::binary32;

// What the last window held (numbers, inf, NaN; a step taken or skipped) must not show in the next.
Case generate(Draw& draw) {
  const std::vector<TensorPlan> plans = draw_tensors(draw, 2);
  const ExactWindow window = draw_exact_window(draw, plans, 2, 4);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(window.scale, binary32);
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", parameters_of(plans));
  const std::int64_t windows = draw.between(2, 3);
  for (std::int64_t w = 0; w < windows; ++w) {
    std::vector<subject::Coefficients> micro_batch = draw_micro_batch(draw, plans, window);
    if (w == 0 && draw.coin()) {
      Tensor& values = micro_batch.front().values;
      values.bits.back() = draw_non_finite(draw, *values.format);
    }
    builder.backward(std::move(micro_batch)).observe(names("gradient", names_of(plans)));
    builder.step("o").update().zero_grad("o", draw.coin());
  }
  return builder.done();
}

AMPCHECK_CLAUSE("accumulation/window-starts-empty", kGradient, generate);

}  // namespace
}  // namespace ampcheck::properties
