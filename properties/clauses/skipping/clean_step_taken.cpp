#include "properties/clause.hpp"
#include "properties/generators/adam.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// Clean windows and nothing else, of SGD with momentum and decay or of Adam, unscaled by the loop
// or by the step.
Case generate(Draw& draw) {
  const std::size_t length = draw_length(draw) % 8 + 1;
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(static_cast<int>(draw.between(0, 16)), binary32);
  CaseBuilder builder;
  builder.scaler(plan);
  const bool adam = draw.coin();
  if (adam) {
    builder.optimizer(draw_adam(draw, "o", {zeros("w", length, binary32)}));
  } else {
    subject::MakeOptimizer sgd;
    sgd.name = "o";
    sgd.hyper = {{"lr", scalar_power_of_two(-1, binary64)}};
    if (draw.coin()) sgd.hyper["momentum"] = scalar_power_of_two(-1, binary64);
    if (draw.coin()) sgd.hyper["weight_decay"] = scalar_power_of_two(-2, binary64);
    sgd.parameters = {zeros("w", length, binary32)};
    builder.optimizer(std::move(sgd));
  }
  for (std::int64_t windows = adam ? draw_adam_steps(draw) : draw.between(1, 3); windows > 0;
       --windows) {
    builder.backward({{"w", vector(adam ? draw_adam_gradient(draw, length, binary32)
                                        : draw_integers(draw, length, 4, -2, binary32),
                                   binary32)}});
    if (draw.coin()) builder.unscale("o");
    builder.step("o").observe({"parameter/w"});
    builder.update().zero_grad("o");
  }
  return builder.done();
}

AMPCHECK_CLAUSE("skipping/clean-step-taken", kStepped | kParameter, generate);

}  // namespace
}  // namespace ampcheck::properties
