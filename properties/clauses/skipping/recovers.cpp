#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// One to six overflows, then clean windows with gradients that fit at any of these scales.
Case generate(Draw& draw) {
  const std::vector<TensorPlan> plans = draw_tensors(draw, 2);
  const ExactWindow window = draw_exact_window(draw, plans, 1, 2);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(window.scale, binary32);
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", parameters_of(plans));
  const std::int64_t bad = draw.between(1, 6);
  for (std::int64_t windows = bad + draw.between(1, 2), w = 0; w < windows; ++w) {
    std::vector<subject::Coefficients> micro_batch = draw_micro_batch(draw, plans, window);
    Tensor& values = micro_batch.back().values;
    if (w < bad) values.bits.back() = draw_non_finite(draw, *values.format);
    builder.backward(std::move(micro_batch));
    builder.step("o").observe(names("parameter", names_of(plans)));
    builder.update().zero_grad("o");
  }
  return builder.done();
}

AMPCHECK_CLAUSE("skipping/recovers", kStepped | kParameter, generate);

}  // namespace
}  // namespace ampcheck::properties
