#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// One to three optimizers in windows of one or two micro-batches, of which half have an inf or NaN
// for one of them: one that came with a micro-batch, or a product with the scale that overflows.
Case generate(Draw& draw) {
  const std::int64_t count = draw.between(1, 3);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(static_cast<int>(draw.between(4, 16)), binary32);
  plan.growth_interval = static_cast<int>(draw.between(1, 3));
  CaseBuilder builder;
  builder.scaler(plan);
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < count; ++i) {
    names.push_back("o" + std::to_string(i));
    builder.sgd(names.back(), {zeros("p" + std::to_string(i), 2, binary32)});
  }
  for (std::int64_t w = draw.between(2, 4); w > 0; --w) {
    const std::int64_t micro_batches = draw.between(1, 2);
    const std::int64_t bad = draw.coin() ? draw.between(0, count - 1) : count;
    const std::int64_t bad_at = draw.between(1, micro_batches);
    for (std::int64_t m = 1; m <= micro_batches; ++m) {
      std::vector<subject::Coefficients> coefficients;
      for (std::int64_t i = 0; i < count; ++i) {
        coefficients.push_back(
            {"p" + std::to_string(i), vector(draw_integers(draw, 2, 4, 0, binary32), binary32)});
        if (i == bad && m == bad_at)
          coefficients.back().values.bits[static_cast<std::size_t>(draw.between(0, 1))] =
              draw.coin() ? draw_non_finite(draw, binary32) : binary32.max_finite();
      }
      builder.backward(std::move(coefficients), m == micro_batches);
    }
    if (draw.coin())
      for (const std::string& name : names) builder.unscale(name).observe({"found_non_finite"});
    for (const std::string& name : names)
      builder.step(name).observe({"stepped", "found_non_finite"});
    builder.update();
    for (const std::string& name : names) builder.zero_grad(name);
  }
  return builder.done();
}

AMPCHECK_CLAUSE("skipping/verdict-visible", kShownVerdict, generate);

}  // namespace
}  // namespace ampcheck::properties
