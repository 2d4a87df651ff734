#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// Subnormal numbers and zeros of the gradient's format, by scales that take them up exactly, often
// into the normal numbers and back.
Case generate(Draw& draw) {
  const TensorFormats formats = draw.pick<TensorFormats>({{&binary32, &binary32},
                                                          {&binary32, &binary32},
                                                          {&bfloat16, &bfloat16},
                                                          {&bfloat16, &binary32},
                                                          {&binary16, &binary16},
                                                          {&binary16, &binary32}});
  const NumberFormat& f = *formats.delivered;
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(static_cast<int>(draw.between(0, 24)), binary32);
  const auto subnormal = [&] {
    return draw_of_class(
        draw,
        draw.pick({FloatClass::subnormal, FloatClass::min_subnormal, FloatClass::max_subnormal}),
        f);
  };
  std::vector<std::uint64_t> c = {subnormal()};
  for (std::int64_t more = draw.between(0, 7); more > 0; --more)
    c.push_back(draw.chance(4) ? draw_of_class(draw, FloatClass::zero, f) : subnormal());
  const std::size_t length = c.size();
  CaseBuilder builder;
  builder.scaler(plan)
      .sgd("o", {zeros("w", length, *formats.parameter)}, 0)
      .backward({{"w", vector(std::move(c), f)}});
  if (draw.coin()) builder.unscale("o").observe({"gradient/w"});
  builder.step("o").observe({"parameter/w"});
  builder.update();
  return builder.done();
}

AMPCHECK_CLAUSE("scaling/subnormals-kept", kGradient | kParameter, generate);

}  // namespace
}  // namespace ampcheck::properties
