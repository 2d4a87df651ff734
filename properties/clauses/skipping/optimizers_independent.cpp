#include <utility>

#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// Two or three optimizers, of which one has an inf or NaN, and parameters that get no gradient. In
// a last window one optimizer does nothing, as it may where each has its turn.
Case generate(Draw& draw) {
  std::vector<TensorPlan> plans;
  const std::int64_t count = draw.between(2, 3);
  for (std::int64_t i = 0; i < count; ++i)
    plans.push_back({"p" + std::to_string(i), {&binary32, &binary32}, draw_length(draw) % 8 + 1});
  const ExactWindow window = draw_exact_window(draw, plans, 1, 6);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(window.scale, binary32);
  CaseBuilder builder;
  builder.scaler(plan);
  const bool idle =
      draw.coin();  // the first optimizer also has a parameter that never gets a gradient
  std::vector<std::string> parameters = names_of(plans);
  for (std::int64_t i = 0; i < count; ++i) {
    const TensorPlan& tensor = plans[static_cast<std::size_t>(i)];
    std::vector<subject::Parameter> own = {zeros(tensor.name, tensor.length, binary32)};
    if (i == 0 && idle) {
      subject::Parameter spare = zeros("idle", 2, binary32);
      spare.initial.bits = {power_of_two(0, binary32), power_of_two(1, binary32)};
      own.insert(draw.coin() ? own.begin() : own.end(), std::move(spare));
      parameters.emplace_back("idle");
    }
    subject::MakeOptimizer sgd;
    sgd.name = "o" + std::to_string(i);
    sgd.hyper = {{"lr", scalar_power_of_two(-1, binary64)}};
    // Which would move it.
    if (i == 0 && idle) sgd.hyper["weight_decay"] = scalar_power_of_two(-2, binary64);
    sgd.parameters = std::move(own);
    builder.optimizer(std::move(sgd));
  }
  std::int64_t bad = 0;
  for (std::int64_t w = draw.between(1, 3); w > 0; --w) {
    std::vector<std::string> at_work;
    for (std::int64_t i = 0; i < count; ++i) at_work.push_back("o" + std::to_string(i));
    std::vector<subject::Coefficients> micro_batch = draw_micro_batch(draw, plans, window);
    if (w == 1 && draw.coin()) {
      // The one that was bad before.
      micro_batch.erase(micro_batch.begin() + bad);
      at_work.erase(at_work.begin() + bad);
    } else {
      bad = draw.between(0, count - 1);
      Tensor& values = micro_batch[static_cast<std::size_t>(bad)].values;
      values.bits.back() = draw_non_finite(draw, binary32);
    }
    builder.backward(std::move(micro_batch));
    if (draw.coin())
      for (const std::string& name : at_work) builder.unscale(name);
    for (const std::string& name : at_work) builder.step(name);
    builder.observe(names("parameter", parameters)).update().observe({"scale"});
    for (std::int64_t i = 0; i < count; ++i) builder.zero_grad("o" + std::to_string(i));
  }
  return builder.done();
}

AMPCHECK_CLAUSE("skipping/optimizers-independent", kStepped | kParameter | kScale, generate);

}  // namespace
}  // namespace ampcheck::properties
