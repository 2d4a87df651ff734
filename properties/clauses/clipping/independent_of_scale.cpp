#include "properties/clause.hpp"
#include "properties/generators/alike_windows.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// One window played again after the scale has moved: by growth at every update, and often by the
// back-off of an overflow between. Four updates keep the scale within 2^±10, also where one that
// drops its micro-batch counts as clean.
Case generate(Draw& draw) {
  const AlikeWindow window = draw_alike_window(draw);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(static_cast<int>(draw.between(-4, 2)), binary32);
  plan.growth_interval = 1;
  plan.growth_factor = scalar_power_of_two(static_cast<int>(draw.between(1, 2)), binary64);
  plan.backoff_factor = scalar_power_of_two(-static_cast<int>(draw.between(1, 3)), binary64);
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", parameters_of(window.plans));
  add_alike_window(builder, window);
  for (std::int64_t again = draw.between(1, 2); again != 0; --again) {
    if (draw.chance(3)) {
      std::vector<subject::Coefficients> overflow = window.coefficients;
      overflow.front().values.bits.front() = overflow.front().values.format->infinity();
      builder.backward(std::move(overflow)).unscale("o").finish_window("o");
    }
    add_alike_window(builder, window);
  }
  return builder.done();
}

AMPCHECK_CLAUSE("clipping/independent-of-scale", kAlike | kParameter, generate);

}  // namespace
}  // namespace ampcheck::properties
