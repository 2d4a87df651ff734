#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// Any loss, any scale that its format holds or rounds.
Case generate(Draw& draw) {
  const NumberFormat& loss_format =
      *draw.pick({&binary32, &binary32, &binary32, &binary16, &bfloat16, &binary64});
  ScalerPlan plan;
  plan.init_scale =
      draw.coin() ? scalar_power_of_two(static_cast<int>(draw.between(-126, 126)), binary32)
                  : scalar(draw_normal(draw, binary32, -126, 126) & ~binary32.sign_bit(), binary32);
  subject::Backward micro_batch;
  micro_batch.loss = scalar(draw_finite(draw, loss_format), loss_format);
  micro_batch.coefficients = {{"w", vector({power_of_two(0, binary32)}, binary32)}};
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", {zeros("w", 1, binary32)}).add(micro_batch).observe({"seed"});
  return builder.done();
}

AMPCHECK_CLAUSE("scaling/seed-is-the-scale", kSeed, generate);

}  // namespace
}  // namespace ampcheck::properties
