#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// A micro-batch comes after unscale. A library that does not refuse it steps on the sum of all
// unscaled gradients.
Case generate(Draw& draw) {
  const std::vector<TensorPlan> plans = draw_tensors(draw, 2);
  const std::int64_t micro_batches = draw.between(1, 3);
  ExactWindow window = draw_exact_window(draw, plans, micro_batches + 1, 2);
  while (window.scale == 0) window = draw_exact_window(draw, plans, micro_batches + 1, 2);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(window.scale, binary32);
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", parameters_of(plans));
  for (std::int64_t m = 1; m <= micro_batches; ++m)
    builder.backward(draw_micro_batch(draw, plans, window), m == micro_batches);
  builder.unscale("o").backward(draw_micro_batch(draw, plans, window));
  builder.step("o").observe(names("parameter", names_of(plans))).update();
  return builder.done();
}

AMPCHECK_CLAUSE("accumulation/mixed-sum-detected", kRefusalOrNoHarm | kParameter, generate);

}  // namespace
}  // namespace ampcheck::properties
