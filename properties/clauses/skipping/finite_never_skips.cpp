#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// Finite gradients that look bad to a careless test: the largest finite number twice, so that sums
// and squares overflow; subnormals; -0. Some are only large because of the scale, some sums are
// beyond a short format. The learning rate is so small that no step overflows.
Case generate(Draw& draw) {
  const TensorFormats formats = draw_formats(draw);
  const NumberFormat& f = *formats.delivered;
  const std::size_t length = draw_length(draw);
  const int scale = draw.coin() ? 0 : static_cast<int>(draw.between(0, 8));
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(scale, binary32);
  std::vector<std::uint64_t> c;
  for (std::size_t i = 0; i < length; ++i) {
    const std::uint64_t sign = draw.coin() ? f.sign_bit() : 0;
    switch (draw.between(0, 3)) {
      case 0:
      case 1:  // the largest number that the scale takes to the largest finite one
        c.push_back(sign |
                    (f.max_finite() - (static_cast<std::uint64_t>(scale) << f.fraction_bits)));
        break;
      case 2:
        c.push_back(draw_of_class(draw, draw.coin() ? FloatClass::subnormal : FloatClass::zero, f));
        break;
      default:
        c.push_back(draw_normal(draw, f, -10, 0));
        break;
    }
  }
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", {zeros("w", length, *formats.parameter)}, -30);
  // Twice the largest number of any other format is inf in the accumulator, too.
  if (f.max_exponent() < bfloat16.max_exponent() && draw.coin())
    builder.backward({{"w", vector(c, f)}}, false);
  builder.backward({{"w", vector(c, f)}});
  if (draw.coin()) builder.unscale("o");
  builder.step("o");
  builder.update();
  return builder.done();
}

AMPCHECK_CLAUSE("skipping/finite-never-skips", kStepped, generate);

}  // namespace
}  // namespace ampcheck::properties
