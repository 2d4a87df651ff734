#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// One bad micro-batch among good ones, at any place, also one whose badness arises only in the sum.
// Its window is skipped; a clean window before and after is not.
Case generate(Draw& draw) {
  const std::vector<TensorPlan> plans = draw_tensors(draw, 2);
  const std::int64_t micro_batches = draw.between(2, 4);
  const ExactWindow window = draw_exact_window(draw, plans, micro_batches, 4);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(window.scale, binary32);
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", parameters_of(plans));
  const std::int64_t windows = draw.between(1, 3), bad_window = draw.between(0, windows - 1);
  for (std::int64_t w = 0; w < windows; ++w) {
    const std::int64_t bad = w == bad_window ? draw.between(1, micro_batches) : 0;
    for (std::int64_t m = 1; m <= micro_batches; ++m) {
      std::vector<subject::Coefficients> micro_batch = draw_micro_batch(draw, plans, window);
      if (m == bad) {
        Tensor& values = micro_batch[static_cast<std::size_t>(draw.between(
                                         0, static_cast<std::int64_t>(plans.size()) - 1))]
                             .values;
        values.bits[static_cast<std::size_t>(
            draw.between(0, static_cast<std::int64_t>(values.bits.size()) - 1))] =
            draw_non_finite(draw, *values.format);
      }
      builder.backward(std::move(micro_batch), m == micro_batches);
    }
    builder.step("o").observe(names("parameter", names_of(plans)));
    builder.update().zero_grad("o");
  }
  return builder.done();
}

AMPCHECK_CLAUSE("accumulation/non-finite-micro-batch", kStepped | kParameter, generate);

}  // namespace
}  // namespace ampcheck::properties
