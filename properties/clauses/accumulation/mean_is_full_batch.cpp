#include "properties/clause.hpp"
#include "properties/generators/samples.hpp"

namespace ampcheck::properties {
namespace {

using reference::binary32;

// The same batch twice, in either order: as up to 32 micro-batches of one size, each the mean of
// its samples and its loss divided by their number, and whole. A quarter of the numbers is no power
// of two; the whole batch still has a mean that nothing rounds.
Case generate(Draw& draw) {
  const std::vector<TensorPlan> plans = draw_short_tensors(draw, 2);
  const std::int64_t number = draw.chance(4) ? draw.pick<std::int64_t>({3, 5, 6, 7, 12})
                                             : draw.pick<std::int64_t>({2, 4, 8, 8, 16, 32});
  const int raised = log2_above(number);
  const ExactWindow window = draw_exact_window(draw, plans, 2 * number, raised + 2);
  std::vector<IntegerGradient> parts;
  for (std::int64_t m = 0; m < number; ++m) parts.push_back(draw_sample(draw, plans, window.bits));
  // The last one makes every sum a multiple of the number.
  IntegerGradient whole = sum_of(parts);
  for (std::size_t tensor = 0; tensor < whole.size(); ++tensor)
    for (std::size_t i = 0; i < whole[tensor].size(); ++i) {
      const std::int64_t missing = (number - whole[tensor][i] % number) % number;
      parts.back()[tensor][i] += missing;
      whole[tensor][i] = (whole[tensor][i] + missing) / number;
    }
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(window.scale, binary32);
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", parameters_of(plans), 0);
  const std::int64_t split_at = draw.between(0, 1);
  for (std::int64_t w = 0; w < 2; ++w) {
    if (w == split_at)
      for (std::int64_t m = 0; m < number; ++m)
        builder
            .backward(
                coefficients_of(plans, parts[static_cast<std::size_t>(m)], window.base + raised),
                m + 1 == number)
            .divide(number);
    else
      builder.backward(coefficients_of(plans, whole, window.base + raised));
    builder.unscale("o").observe(names("gradient", names_of(plans)));
    builder.step("o").observe(names("parameter", names_of(plans)));
    builder.update().zero_grad("o");
  }
  return builder.done();
}

AMPCHECK_CLAUSE("accumulation/mean-is-full-batch", kGradient | kParameter, generate);

}  // namespace
}  // namespace ampcheck::properties
