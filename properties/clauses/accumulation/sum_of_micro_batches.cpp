#include "properties/clause.hpp"
#include "properties/generators/corners/sum_corners.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// Two to five micro-batches, looked at after every one. A quarter of the cases has irregular terms,
// whose sum may be rounded in any order.
Case generate_irregular(Draw& draw) {
  const std::vector<TensorPlan> plans = draw_tensors(draw, 2);
  const std::int64_t micro_batches = draw.between(2, 5);
  const ExactWindow window = draw_exact_window(draw, plans, micro_batches, 1);
  const bool exact = !draw.chance(4);
  const std::int64_t divide = draw.chance(3) ? draw.pick({2, 4, 3}) : 1;
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(window.scale, binary32);
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", parameters_of(plans));
  for (std::int64_t m = 1; m <= micro_batches; ++m) {
    std::vector<subject::Coefficients> micro_batch = draw_micro_batch(draw, plans, window);
    if (!exact)
      for (subject::Coefficients& c : micro_batch)
        for (std::uint64_t& bits : c.values.bits)
          bits = draw_normal(draw, *c.values.format, window.base, window.base + window.bits - 1);
    builder.backward(std::move(micro_batch), m == micro_batches)
        .divide(divide)
        .observe(names("gradient", names_of(plans)));
  }
  builder.unscale("o").observe(names("gradient", names_of(plans)));
  return builder.done();
}

// Two terms, so that one addition rounds.
Case generate_corners(Draw& draw) {
  const SumCorners corners = draw_sum_corners(draw);
  const NumberFormat& f = *corners.format;
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(0, binary32);
  CaseBuilder builder;
  builder.scaler(plan)
      .sgd("o", {zeros("w", corners.first.size(), f)})
      .backward({{"w", vector(corners.first, f)}}, false)
      .backward({{"w", vector(corners.second, f)}})
      .observe({"gradient/w"});
  return builder.done();
}

Case generate(Draw& draw) {
  return draw.coin() ? generate_corners(draw) : generate_irregular(draw);
}

AMPCHECK_CLAUSE("accumulation/sum-of-micro-batches", kGradient, generate);

}  // namespace
}  // namespace ampcheck::properties
