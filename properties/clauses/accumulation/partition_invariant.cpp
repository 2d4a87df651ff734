#include "properties/clause.hpp"
#include "properties/generators/samples.hpp"

namespace ampcheck::properties {
namespace {

using reference::binary32;

// The same samples in two to four windows, each split and ordered in its own way. The loss of a
// micro-batch is the sum over its samples, over a divisor that is the same for all. Half of the
// batches have parameters that only some samples reach; now and then two samples are equal.
Case generate(Draw& draw) {
  const std::vector<TensorPlan> plans = draw_short_tensors(draw, 3);
  const std::int64_t count = draw.between(3, 12);
  const int divide = static_cast<int>(draw.between(0, 4));  // by 2^divide
  const ExactWindow window = draw_exact_window(draw, plans, count, divide + 2);
  const bool sparse = draw.coin();
  std::vector<IntegerGradient> samples;
  for (std::int64_t i = 0; i < count; ++i)
    samples.push_back(!samples.empty() && draw.chance(6)
                          ? samples.back()
                          : draw_sample(draw, plans, window.bits, sparse));
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(window.scale, binary32);
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", parameters_of(plans));
  for (std::int64_t w = draw.between(2, 4); w > 0; --w) {
    const std::vector<std::vector<std::size_t>> parts =
        draw_partition(draw, static_cast<std::size_t>(count));
    for (const std::vector<std::size_t>& part : parts) {
      std::vector<IntegerGradient> own;
      for (const std::size_t i : part) own.push_back(samples[i]);
      builder
          .backward(coefficients_of(plans, sum_of(own), window.base + divide),
                    &part == &parts.back())
          .divide(std::int64_t{1} << divide);
    }
    builder.unscale("o").observe(names("gradient", names_of(plans)));
    builder.finish_window("o");
  }
  return builder.done();
}

AMPCHECK_CLAUSE("accumulation/partition-invariant", kGradient, generate);

}  // namespace
}  // namespace ampcheck::properties
