#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

enum class Misuse { second_step, unscale_after_step, idle_update };

// One misuse in a session of clean windows whose scale grows on the way: parameters, scale and the
// count to its growth go on as if it had not been.
Case generate(Draw& draw) {
  const std::vector<TensorPlan> plans = draw_tensors(draw, 2);
  const std::int64_t windows = draw.between(1, 4), misused = draw.between(1, windows);
  const Misuse misuse =
      draw.pick({Misuse::second_step, Misuse::unscale_after_step, Misuse::idle_update});
  const ExactWindow window = draw_exact_window(draw, plans, windows, 4);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(window.scale, binary32);
  plan.growth_interval = static_cast<int>(draw.between(1, 3));
  std::vector<std::string> seen = names("parameter", names_of(plans));
  seen.emplace_back("scale");
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", parameters_of(plans));
  for (std::int64_t w = 1; w <= windows; ++w) {
    builder.backward(draw_micro_batch(draw, plans, window));
    if (draw.coin()) builder.unscale("o");
    builder.step("o");
    if (w == misused && misuse == Misuse::second_step) builder.step("o");
    if (w == misused && misuse == Misuse::unscale_after_step) builder.unscale("o");
    builder.update().zero_grad("o");
    if (w == misused && misuse == Misuse::idle_update) builder.update();
    builder.add(subject::Observe{}).observe(seen);
  }
  return builder.done();
}

AMPCHECK_CLAUSE("skipping/order-errors-detected", kRefusal | kParameter | kScale, generate);

}  // namespace
}  // namespace ampcheck::properties
