#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// A disabled scaler: any finite gradient of the parameter's format comes through bit for bit, and
// the step is that of the bare optimizer, which inf and NaN do not keep from being taken. Elements
// with more significant bits than binary16 has are always among the others.
Case generate(Draw& draw) {
  const NumberFormat& f = *draw.pick({&binary32, &binary32, &bfloat16, &binary64});
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(static_cast<int>(draw.between(0, 16)), binary32);
  plan.enabled = false;
  std::vector<std::uint64_t> c = {draw_normal(draw, f, -3, 3)};
  for (std::int64_t more = draw.between(0, 4); more > 0; --more)
    c.push_back(draw_normal(draw, f, -20, 20));
  if (draw.chance(6)) c.push_back(draw_non_finite(draw, f));
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", {zeros("w", c.size(), f)});
  if (draw.chance(4)) builder.save_load();
  builder.backward({{"w", vector(c, f)}}).observe({"gradient/w"});
  if (draw.coin()) builder.unscale("o").observe({"gradient/w"});
  builder.step("o").observe({"parameter/w"});
  builder.update();
  return builder.done();
}

AMPCHECK_CLAUSE("scaling/disabled-is-identity", kGradient | kParameter | kStepped, generate);

}  // namespace
}  // namespace ampcheck::properties
