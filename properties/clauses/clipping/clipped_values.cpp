#include "properties/clause.hpp"
#include "properties/generators/corners/clip_corners.hpp"
#include "properties/generators/norms.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// Irregular gradients and limits: the factor rounds, and so does every product. A third of the
// cases are order-exact.
Case generate_irregular(Draw& draw) {
  ScalerPlan plan;
  CaseBuilder builder;
  if (draw.chance(3)) {
    const NormWindow window = draw_norm_window(draw);
    plan.init_scale = scalar_power_of_two(window.scale, binary32);
    builder.scaler(plan)
        .sgd("o", parameters_of(window.plans))
        .backward(window.coefficients)
        .unscale("o");
    // Far below the norm, or just below it, or nothing at all.
    const std::uint64_t limit =
        draw.chance(12) ? 0
        : draw.coin()
            ? dyadic(window.norm, window.base - static_cast<int>(draw.between(1, 6)), binary32)
            : dyadic(window.norm * 256 - 1, window.base - 8, binary32);
    builder.clip_norm({"o"}, scalar(limit, binary32));
    builder.observe(names("gradient", names_of(window.plans)));
    return builder.done();
  }
  const std::vector<TensorPlan> plans = draw_tensors(draw, 3, draw_formats_to_binary32);
  plan.init_scale = scalar_power_of_two(static_cast<int>(draw.between(-4, 4)), binary32);
  std::vector<subject::Coefficients> coefficients;
  for (const TensorPlan& tensor : plans) {
    std::vector<std::uint64_t> bits;
    for (std::size_t i = 0; i < tensor.length; ++i)
      bits.push_back(draw_normal(draw, *tensor.formats.delivered, -3, 3));
    coefficients.push_back({tensor.name, vector(std::move(bits), *tensor.formats.delivered)});
  }
  builder.scaler(plan)
      .sgd("o", parameters_of(plans))
      .backward(std::move(coefficients))
      .unscale("o")
      .clip_norm({"o"}, scalar(draw_normal(draw, binary32, -5, 5) & ~binary32.sign_bit(), binary32))
      .observe(names("gradient", names_of(plans)));
  return builder.done();
}

Case generate_corners(Draw& draw) {
  const ClipCorners corners = draw_clip_corners(draw);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(0, binary32);
  CaseBuilder builder;
  builder.scaler(plan)
      .sgd("o", {zeros("w", corners.gradient.size(), binary32)})
      .backward({{"w", vector(corners.gradient, binary32)}})
      .unscale("o")
      .clip_norm({"o"}, corners.limit)
      .observe({"gradient/w"});
  return builder.done();
}

Case generate(Draw& draw) {
  return draw.coin() ? generate_corners(draw) : generate_irregular(draw);
}

AMPCHECK_CLAUSE("clipping/clipped-values", kGradient, generate);

}  // namespace
}  // namespace ampcheck::properties
