#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// Nothing but zeros, of either sign, clipped by their norm or by value.
Case generate(Draw& draw) {
  const std::vector<TensorPlan> plans = draw_tensors(draw, 3);
  std::vector<subject::Coefficients> micro_batch;
  for (const TensorPlan& tensor : plans) {
    const NumberFormat& f = *tensor.formats.delivered;
    std::vector<std::uint64_t> bits;
    for (std::size_t i = 0; i < tensor.length; ++i) bits.push_back(draw.coin() ? 0 : f.sign_bit());
    micro_batch.push_back({tensor.name, vector(std::move(bits), f)});
  }
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(static_cast<int>(draw.between(-8, 16)), binary32);
  const Scalar limit = scalar_power_of_two(static_cast<int>(draw.between(-20, 4)), binary32);
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", parameters_of(plans)).backward(std::move(micro_batch)).unscale("o");
  if (draw.chance(4))
    builder.clip_value({"o"}, limit);
  else
    builder.clip_norm({"o"}, limit).observe({"norm"});
  builder.observe(names("gradient", names_of(plans)));
  return builder.done();
}

AMPCHECK_CLAUSE("clipping/zero-gradients", kGradient | kNorm, generate);

}  // namespace
}  // namespace ampcheck::properties
