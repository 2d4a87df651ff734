#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using reference::binary32;

// Windows of several micro-batches in which the scale would grow at once if it were updated inside:
// seed and scale after every micro-batch, and the gradient at the end.
Case generate(Draw& draw) {
  const std::vector<TensorPlan> plans = draw_tensors(draw, 2);
  const std::int64_t micro_batches = draw.between(2, 4), windows = draw.between(1, 3);
  const ExactWindow window = draw_exact_window(draw, plans, micro_batches, 4);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(window.scale, binary32);
  plan.growth_interval = static_cast<int>(draw.between(1, 2));
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", parameters_of(plans));
  for (std::int64_t w = 0; w < windows; ++w) {
    for (std::int64_t m = 1; m <= micro_batches; ++m)
      builder.backward(draw_micro_batch(draw, plans, window), m == micro_batches)
          .observe({"seed", "scale"});
    builder.unscale("o").observe(names("gradient", names_of(plans)));
    builder.step("o").update().observe({"scale"}).zero_grad("o");
  }
  return builder.done();
}

AMPCHECK_CLAUSE("accumulation/constant-scale", kSeed | kScale | kGradient, generate);

}  // namespace
}  // namespace ampcheck::properties
