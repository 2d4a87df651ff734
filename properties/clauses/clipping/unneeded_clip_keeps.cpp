#include "properties/clause.hpp"
#include "properties/generators/norms.hpp"

namespace ampcheck::properties {
namespace {

using reference::binary32;

// Norms below the limit: by one unit in the last place of the integers, or far.
Case generate(Draw& draw) {
  const NormWindow window = draw_norm_window(draw);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(window.scale, binary32);
  const std::int64_t limit = window.norm * 8 + draw.pick<std::int64_t>({1, 2, 8, 56, 500});
  CaseBuilder builder;
  builder.scaler(plan)
      .sgd("o", parameters_of(window.plans))
      .backward(window.coefficients)
      .unscale("o")
      .clip_norm({"o"}, scalar(dyadic(limit, window.base - 3, binary32), binary32))
      .observe(names("gradient", names_of(window.plans)));
  return builder.done();
}

AMPCHECK_CLAUSE("clipping/unneeded-clip-keeps", kGradient, generate);

}  // namespace
}  // namespace ampcheck::properties
