#include <algorithm>

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
  // What the scale takes to the largest finite number; twice that is too large for the accumulator.
  const bool can_overflow = window.scale >= 0 && *plans.front().formats.delivered == binary32 &&
                            *plans.front().formats.parameter == binary32;
  const std::uint64_t largest =
      binary32.max_finite() -
      (static_cast<std::uint64_t>(std::max(window.scale, 0)) << binary32.fraction_bits);
  const std::int64_t windows = draw.between(1, 3), bad_window = draw.between(0, windows - 1);
  for (std::int64_t w = 0; w < windows; ++w) {
    const std::int64_t bad = w == bad_window ? draw.between(1, micro_batches) : 0;
    const bool in_the_sum = bad > 0 && can_overflow && draw.coin();
    for (std::int64_t m = 1; m <= micro_batches; ++m) {
      std::vector<subject::Coefficients> micro_batch = draw_micro_batch(draw, plans, window);
      if (in_the_sum) {
        if (m <= 2) micro_batch.front().values.bits.front() = largest;
      } else if (m == bad) {
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
