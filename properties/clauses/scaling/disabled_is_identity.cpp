#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// A disabled scaler: any finite gradient of the parameter's format comes through bit for bit, and
// the step is that of the bare optimizer, which inf and NaN do not keep from being taken. Elements
// with more significant bits than binary16 has are always among the others. A clip is that of the
// bare gradients, and a second window is like the first.
Case generate(Draw& draw) {
  const NumberFormat& f = *draw.pick({&binary32, &binary32, &bfloat16, &binary64});
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(static_cast<int>(draw.between(0, 16)), binary32);
  plan.enabled = false;
  const std::int64_t more = draw.between(0, 4);
  const bool is_bad = draw.chance(6);
  CaseBuilder builder;
  builder.scaler(plan).sgd("o",
                           {zeros("w", static_cast<std::size_t>(1 + more + (is_bad ? 1 : 0)), f)});
  if (draw.chance(4)) builder.save_load();
  for (std::int64_t windows = draw.between(1, 2); windows > 0; --windows) {
    std::vector<std::uint64_t> c = {draw_normal(draw, f, -3, 3)};
    for (std::int64_t i = 0; i < more; ++i) c.push_back(draw_normal(draw, f, -20, 20));
    if (is_bad) c.push_back(draw_non_finite(draw, f));
    builder.backward({{"w", vector(c, f)}}).observe({"gradient/w"});
    const bool clips = !is_bad && draw.chance(3);
    if (clips || draw.coin()) builder.unscale("o").observe({"gradient/w"});
    if (clips)
      builder
          .clip_value({"o"}, scalar_power_of_two(static_cast<int>(draw.between(-4, 4)), binary32))
          .observe({"gradient/w"});
    builder.step("o").observe({"parameter/w"});
    builder.update().zero_grad("o");
  }
  return builder.done();
}

AMPCHECK_CLAUSE("scaling/disabled-is-identity", kGradient | kParameter | kStepped, generate);

}  // namespace
}  // namespace ampcheck::properties
