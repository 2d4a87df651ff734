#include <bit>

#include "properties/clause.hpp"
#include "properties/generators/samples.hpp"

namespace ampcheck::properties {
namespace {

using reference::binary32;

// Windows of N micro-batches and shorter ones, each divided by its own number. The short one ends
// an epoch: mostly it comes last or has another epoch behind it, now and then it comes first.
Case generate(Draw& draw) {
  const std::vector<TensorPlan> plans = draw_tensors(draw, 2);
  const std::int64_t most = draw.pick<std::int64_t>({2, 3, 4, 4, 5, 8, 8});
  std::int64_t few = draw.between(1, most - 1);
  if (!draw.chance(3))
    few = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(few)));
  const std::vector<std::int64_t> sizes = draw.pick<std::vector<std::int64_t>>(
      {{most, few}, {most, most, few}, {most, few, most}, {few, most}, {most, few, 1}});
  const int raised = log2_above(most);
  ExactWindow window = draw_exact_window(draw, plans, 2 * most * std::ssize(sizes), raised + 3);
  window.base += raised;
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(window.scale, binary32);
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", parameters_of(plans), 0);
  for (const std::int64_t size : sizes) {
    for (std::int64_t m = 1; m <= size; ++m)
      builder.backward(draw_micro_batch(draw, plans, window), m == size).divide(size);
    builder.unscale("o").observe(names("gradient", names_of(plans)));
    builder.step("o").observe(names("parameter", names_of(plans)));
    builder.update().zero_grad("o", draw.coin());
  }
  return builder.done();
}

AMPCHECK_CLAUSE("accumulation/short-last-window", kGradient | kParameter | kStepped, generate);

}  // namespace
}  // namespace ampcheck::properties
