#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// A growth factor above 1 and below 2 that is a number of binary32, so that it is the same in
// whatever format it is kept.
Scalar draw_factor(Draw& draw) {
  return scalar(dyadic((1 << 23) + draw.between(1, (1 << 23) - 1), -23, binary64), binary64);
}

// Scales that a 16-bit format has not, nor their reciprocals: of many bits and moving, or at either
// end of binary32. Coefficients are those of binary32 whose product with S has a small exponent.
Case generate(Draw& draw) {
  std::vector<TensorPlan> plans = draw_tensors(draw, 2);
  for (TensorPlan& tensor : plans)
    if (*tensor.formats.parameter == binary64) tensor.formats = {&binary32, &binary32};
  const bool at_an_end = draw.chance(3);
  const std::int64_t windows = at_an_end ? 1 : draw.between(1, 3);
  const bool large = draw.coin();
  // Of two thirds of the large ones the reciprocal is subnormal.
  const int scale =
      static_cast<int>(!at_an_end ? draw.between(-3, 26)
                       : large    ? draw.pick<std::int64_t>({126, 127, draw.between(100, 125)})
                                  : draw.between(-126, -100));
  ScalerPlan plan;
  plan.init_scale =
      scalar(draw.chance(4) ? power_of_two(scale, binary32)
                            : draw_normal(draw, binary32, scale, scale) & ~binary32.sign_bit(),
             binary32);
  plan.growth_interval = at_an_end ? 1000 : 1;
  plan.growth_factor = draw.coin() ? scalar_power_of_two(1, binary64) : draw_factor(draw);
  // Away from where S·c, or what S makes of it, is subnormal or beyond the range.
  const int low = at_an_end && large ? 6 : -8, high = at_an_end && !large ? -1 : 9;
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", parameters_of(plans));
  for (std::int64_t w = 0; w < windows; ++w) {
    std::vector<subject::Coefficients> micro_batch;
    for (const TensorPlan& tensor : plans) {
      std::vector<std::uint64_t> bits;
      for (std::size_t i = 0; i < tensor.length; ++i)
        bits.push_back(draw_normal(draw, binary32, low - scale, high - scale));
      micro_batch.push_back(
          {tensor.name, vector(std::move(bits), binary32), tensor.formats.delivered});
    }
    builder.backward(std::move(micro_batch)).unscale("o");
    builder.observe(names("gradient", names_of(plans)));
    // Gradients at the ends of binary32 are no steps to take.
    if (!at_an_end) builder.step("o").update().observe({"scale"}).zero_grad("o");
  }
  return builder.done();
}

AMPCHECK_CLAUSE("scaling/unscale-in-wide-format", kGradient, generate);

}  // namespace
}  // namespace ampcheck::properties
