#include "properties/clause.hpp"
#include "properties/generators/norms.hpp"

namespace ampcheck::properties {
namespace {

using reference::binary32;

// Limits a power of two below the norm, or above it, seen from unscaled gradients; from scaled ones
// the limit would lie elsewhere.
Case generate(Draw& draw) {
  NormWindow window = draw_norm_window(draw);
  if (window.scale == 0) window.scale = 2;
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(window.scale, binary32);
  const int ratio = static_cast<int>(draw.between(-4, 2));
  CaseBuilder builder;
  builder.scaler(plan)
      .sgd("o", parameters_of(window.plans))
      .backward(window.coefficients)
      .unscale("o")
      .clip_norm({"o"}, scalar(dyadic(window.norm, window.base + ratio, binary32), binary32))
      .observe(names("gradient", names_of(window.plans)))
      .observe({"norm"});
  builder.step("o").observe(names("parameter", names_of(window.plans)));
  return builder.done();
}

AMPCHECK_CLAUSE("clipping/norm-after-unscale", kGradient | kNorm | kParameter, generate);

}  // namespace
}  // namespace ampcheck::properties
