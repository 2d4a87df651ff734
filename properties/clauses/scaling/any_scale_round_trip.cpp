#include <algorithm>

#include "properties/clause.hpp"
#include "properties/generators/corners/unscale_corners.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// Scales with many significant bits: reciprocal and division, and the format that either is rounded
// in, give different last bits. A third of the scales lie where their reciprocal is subnormal or
// zero in a 16-bit format.
Case generate_irregular(Draw& draw) {
  const std::vector<TensorPlan> plans = draw_tensors(draw, 2);
  const bool short_range = std::any_of(plans.begin(), plans.end(), [](const TensorPlan& p) {
    return *p.formats.delivered == binary16 || *p.formats.parameter == binary16;
  });
  const int scale = static_cast<int>(draw.chance(3) ? draw.between(15, short_range ? 26 : 30)
                                                    : draw.between(-8, 15));
  ScalerPlan plan;
  plan.init_scale =
      scalar(draw_normal(draw, binary32, scale, scale) & ~binary32.sign_bit(), binary32);
  // Scaled gradients of exponents -12 … 12 are normal and finite in every format.
  const int most = short_range ? std::min(12 - scale, 12) : 12;
  CaseBuilder builder;
  builder.scaler(plan)
      .sgd("o", parameters_of(plans))
      .backward(draw_normal_micro_batch(draw, plans, std::min(-12 - scale, most), most))
      .unscale("o")
      .observe(names("gradient", names_of(plans)));
  return builder.done();
}

Case generate_corners(Draw& draw) {
  const UnscaleCorners corners = draw_unscale_corners(draw);
  const std::vector<subject::Coefficients> micro_batch = {
      {"w", vector(corners.coefficients, *corners.format)}};
  ScalerPlan plan;
  plan.init_scale = corners.scale;
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", {zeros("w", corners.coefficients.size(), *corners.format)});
  if (corners.comes_twice) builder.backward(micro_batch, false).divide(corners.divide);
  builder.backward(micro_batch).divide(corners.divide).unscale("o").observe({"gradient/w"});
  return builder.done();
}

Case generate(Draw& draw) {
  return draw.coin() ? generate_corners(draw) : generate_irregular(draw);
}

AMPCHECK_CLAUSE("scaling/any-scale-round-trip", kGradient, generate);

}  // namespace
}  // namespace ampcheck::properties
