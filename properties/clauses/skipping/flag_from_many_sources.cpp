#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// Two or more tensors with an inf or NaN each, of one optimizer or of several, and of mixed
// formats. All of it is one overflow: the scale backs off once.
Case generate(Draw& draw) {
  std::vector<TensorPlan> plans;
  const std::int64_t count = draw.between(2, 5);
  for (std::int64_t i = 0; i < count; ++i)
    plans.push_back({"p" + std::to_string(i), draw_formats(draw), draw_length(draw) % 8 + 1});
  const ExactWindow window = draw_exact_window(draw, plans, 1, 2);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(window.scale, binary32);
  std::vector<subject::Coefficients> micro_batch = draw_micro_batch(draw, plans, window);
  // The first two, and others.
  for (std::size_t i = 0; i < plans.size(); ++i)
    if (i < 2 || draw.coin()) {
      Tensor& values = micro_batch[i].values;
      values.bits[static_cast<std::size_t>(
          draw.between(0, static_cast<std::int64_t>(values.bits.size()) - 1))] =
          draw_non_finite(draw, *values.format);
    }
  const std::size_t optimizers = draw.coin() ? 1 : 2;
  CaseBuilder builder;
  builder.scaler(plan);
  std::vector<subject::Parameter> all = parameters_of(plans);
  for (std::size_t o = 0; o < optimizers; ++o) {
    std::vector<subject::Parameter> own;
    for (std::size_t i = o; i < all.size(); i += optimizers) own.push_back(all[i]);
    builder.sgd("o" + std::to_string(o), std::move(own));
  }
  builder.backward(std::move(micro_batch));
  const bool explicitly = draw.coin();
  for (std::size_t o = 0; explicitly && o < optimizers; ++o)
    builder.unscale("o" + std::to_string(o));
  for (std::size_t o = 0; o < optimizers; ++o) builder.step("o" + std::to_string(o));
  builder.observe(names("parameter", names_of(plans))).update().observe({"scale"});
  return builder.done();
}

AMPCHECK_CLAUSE("skipping/flag-from-many-sources", kStepped | kScale | kParameter, generate);

}  // namespace
}  // namespace ampcheck::properties
