#include <bit>
#include <cmath>

#include "properties/clause.hpp"
#include "properties/generators/corners/scale_corners.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// Scales that are no power of two, and products S·c next to a point half way between two numbers of
// a short format: rounded to binary32 first, most of them come to lie on it.
ScaleCorners draw_near_half_way(Draw& draw) {
  const NumberFormat& f = *draw.pick({&binary16, &bfloat16});
  const std::int64_t ulp = std::int64_t{1} << (f.precision() - 1);  // units of a significand's last
  const std::int64_t significand = draw.between(ulp, 2 * ulp - 1);
  const std::int64_t half_way = 2 * draw.between(ulp, 2 * ulp - 1) + 1;
  const int base = static_cast<int>(draw.between(-14, -4));
  const Scalar scale = scalar(
      std::bit_cast<std::uint32_t>(std::ldexp(
          static_cast<float>(static_cast<double>(half_way) / static_cast<double>(significand)),
          static_cast<int>(draw.between(0, 6)))),
      binary32);
  std::vector<std::uint64_t> c = {dyadic(draw.coin() ? significand : -significand, base, f)};
  for (std::int64_t more = draw.between(0, 4); more > 0; --more)
    c.push_back(draw_normal(draw, f, -6, 2));
  return {scale, {{&f, &f, std::move(c)}}};
}

// The subject forms S·c itself.
Case generate(Draw& draw) {
  const ScaleCorners corners = draw.chance(4) ? draw_near_half_way(draw) : draw_scale_corners(draw);
  ScalerPlan plan;
  plan.init_scale = corners.scale;
  std::vector<subject::Parameter> parameters;
  std::vector<std::string> tensors;
  subject::Backward micro_batch;
  micro_batch.loss = scalar_power_of_two(0, binary32);
  micro_batch.own_product = true;
  for (const Corners& tensor : corners.tensors) {
    tensors.push_back("w" + std::to_string(tensors.size()));
    const NumberFormat& given = *tensor.given;
    parameters.push_back(
        zeros(tensors.back(), tensor.coefficients.size(), given == binary64 ? binary64 : binary32));
    micro_batch.coefficients.push_back(
        {tensors.back(), vector(tensor.coefficients, given), tensor.delivered});
  }
  CaseBuilder builder;
  builder.scaler(plan)
      .sgd("o", parameters)
      .add(micro_batch)
      .observe(names("gradient", tensors))
      .unscale("o")
      .observe(names("gradient", tensors));
  return builder.done();
}

AMPCHECK_CLAUSE("scaling/linear-in-the-loss", kGradient, generate);

}  // namespace
}  // namespace ampcheck::properties
