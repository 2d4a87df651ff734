#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// Losses of any significand in windows whose scale grows and, after an inf, backs off. Whatever
// happens to a loss, it stays normal: the scale is mostly a power of two, so that one that was
// multiplied with it and divided by it again is what it was.
Case generate(Draw& draw) {
  const NumberFormat& f = *draw.pick({&binary32, &binary32, &binary16, &bfloat16, &binary64});
  const bool is_short = f == binary16;
  const int least = is_short ? 0 : -20, most = is_short ? 8 : 20;
  ScalerPlan plan;
  plan.init_scale =
      draw.chance(4)
          ? scalar(draw_normal(draw, binary32, least, most) & ~binary32.sign_bit(), binary32)
          : scalar_power_of_two(static_cast<int>(draw.between(least, most)), binary32);
  plan.growth_interval = 1;
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", {zeros("w", 1, binary32)});
  for (std::int64_t w = draw.between(2, 4); w > 0; --w) {
    const std::int64_t micro_batches = draw.between(1, 3);
    const bool divides = draw.coin();
    for (std::int64_t m = micro_batches; m > 0; --m) {
      const bool is_bad = draw.chance(6);
      subject::Backward made;
      made.loss = scalar(draw_normal(draw, f, -3, 3), f);
      made.coefficients = {
          {"w", vector({is_bad ? binary32.infinity() : power_of_two(0, binary32)}, binary32)}};
      made.divide = divides ? micro_batches : 1;
      made.last = m == 1;
      builder.add(std::move(made)).observe({"loss"});
    }
    builder.finish_window("o");
  }
  return builder.done();
}

AMPCHECK_CLAUSE("scaling/loss-reported-unscaled", kLoss, generate);

}  // namespace
}  // namespace ampcheck::properties
