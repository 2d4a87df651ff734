#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// Gradients on both sides of the two ends: S·c next to half the smallest subnormal, and next to
// where rounding leaves the largest finite number. The subject forms S·c itself.
Case generate(Draw& draw) {
  const NumberFormat& f =
      *draw.pick({&binary16, &binary16, &bfloat16, &float8_e5m2, &float8_e4m3fn});
  // Where bfloat16 ends, binary32 has room for few scales.
  const int scale = static_cast<int>(f == bfloat16 ? draw.between(1, 9) : draw.between(-6, 24));
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(scale, binary32);
  std::vector<std::uint64_t> bits;
  const std::size_t length = draw_length(draw) % 8 + 1;
  for (std::size_t i = 0; i < length; ++i) {
    // c in binary32, so that S·c may lie between two numbers of F.
    const bool low = draw.coin();
    const int edge = low ? f.min_quantum() - 1 : f.max_exponent();
    const std::int64_t near = low ? draw.between(-3, 3) : draw.between(-40, 3);
    const std::int64_t base = low ? 1 << 6 : (std::int64_t{1} << (f.precision() + 3)) - 4;
    const int unit = low ? edge - 6 : edge - f.precision() - 2;
    const std::int64_t significand = base + near;
    bits.push_back(dyadic(draw.coin() ? significand : -significand, unit - scale, binary32));
  }
  subject::Backward micro_batch;
  micro_batch.loss = scalar_power_of_two(0, binary32);
  micro_batch.coefficients = {{"w", vector(bits, binary32), &f}};
  micro_batch.own_product = true;
  CaseBuilder builder;
  builder.scaler(plan)
      .sgd("o", {zeros("w", length, binary32)})
      .add(micro_batch)
      .observe({"gradient/w"});
  return builder.done();
}

AMPCHECK_CLAUSE("scaling/survival-range", kGradient, generate);

}  // namespace
}  // namespace ampcheck::properties
