#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

// Whatever a loop does between backward and step (several micro-batches, a clip that changes
// nothing, two optimizers, an unscale of its own or none), the gradient is divided by S once.
Case generate(Draw& draw) {
  const std::vector<TensorPlan> plans = draw_tensors(draw, 4);
  const std::int64_t micro_batches = draw.between(1, 3);
  const ExactWindow window = draw_exact_window(draw, plans, micro_batches, 2);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(window.scale, reference::binary32);
  std::vector<subject::Parameter> first = parameters_of(plans), second;
  while (first.size() > 1 && draw.coin()) {
    second.push_back(first.back());
    first.pop_back();
  }
  std::vector<std::string> optimizers = {"a"};
  CaseBuilder builder;
  builder.scaler(plan).sgd("a", first);
  if (!second.empty()) {
    builder.sgd("b", second);
    optimizers.emplace_back("b");
  }
  for (std::int64_t m = 1; m <= micro_batches; ++m)
    builder.backward(draw_micro_batch(draw, plans, window), m == micro_batches);
  const bool clips = draw.coin();
  if (clips || draw.coin())
    for (const std::string& name : optimizers) builder.unscale(name);
  // Far above every element: 2^(base + bits + 2) in magnitude.
  if (clips)
    builder
        .clip_value(optimizers,
                    scalar_power_of_two(window.base + window.bits + 4, reference::binary32))
        .observe(names("gradient", names_of(plans)));
  for (const std::string& name : optimizers) builder.step(name);
  builder.observe(names("parameter", names_of(plans)));
  builder.update();
  return builder.done();
}

AMPCHECK_CLAUSE("scaling/unscale-once", kGradient | kParameter, generate);

}  // namespace
}  // namespace ampcheck::properties
