#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

// Any significand, as long as gradient and scaled gradient stay normal: nothing rounds on the way.
Case generate(Draw& draw) {
  const std::vector<TensorPlan> plans = draw_tensors(draw, 3);
  const ExactWindow window = draw_exact_window(draw, plans, 1, 2);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(window.scale, reference::binary32);
  std::vector<subject::Coefficients> coefficients;
  for (const TensorPlan& tensor : plans) {
    const NumberFormat& f = *tensor.formats.delivered;
    std::vector<std::uint64_t> bits;
    for (std::size_t i = 0; i < tensor.length; ++i)
      bits.push_back(draw_normal(draw, f, window.base, window.base + window.bits));
    coefficients.push_back({tensor.name, vector(std::move(bits), f)});
  }
  CaseBuilder builder;
  builder.scaler(plan)
      .sgd("o", parameters_of(plans))
      .backward(std::move(coefficients))
      .unscale("o")
      .observe(names("gradient", names_of(plans)));
  return builder.done();
}

AMPCHECK_CLAUSE("scaling/power-of-two-round-trip", kGradient, generate);

}  // namespace
}  // namespace ampcheck::properties
