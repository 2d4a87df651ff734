#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// One optimizer is unscaled twice; or two are that have a parameter in common. A library that does
// not refuse it divides each gradient once.
Case generate(Draw& draw) {
  const std::vector<TensorPlan> plans = draw_tensors(draw, 2);
  ExactWindow window = draw_exact_window(draw, plans, 1, 2);
  while (window.scale == 0) window = draw_exact_window(draw, plans, 1, 2);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(window.scale, binary32);
  const bool shares = draw.coin();
  CaseBuilder builder;
  builder.scaler(plan).sgd("a", parameters_of(plans));
  if (shares) builder.sgd("b", {{"also", {}, draw.pick(names_of(plans))}});
  builder.backward(draw_micro_batch(draw, plans, window)).unscale("a");
  builder.unscale(shares ? "b" : "a");
  builder.step("a").observe(names("parameter", names_of(plans)));
  if (shares) builder.step("b").observe(names("parameter", names_of(plans)));
  builder.update();
  return builder.done();
}

AMPCHECK_CLAUSE("scaling/double-unscale-detected", kRefusalOrNoHarm | kParameter, generate);

}  // namespace
}  // namespace ampcheck::properties
