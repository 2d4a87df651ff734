#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// Gradients that are non-finite as they come, and gradients that only unscaling makes so: S below
// 1, scaled values near the largest finite number.
Case generate(Draw& draw) {
  const NumberFormat& f = *draw.pick({&binary32, &binary32, &bfloat16});
  const int scale = static_cast<int>(draw.between(-6, -1));
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(scale, binary32);
  const std::size_t length = static_cast<std::size_t>(draw.between(1, 4));
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", {zeros("w", length, binary32)});
  std::vector<std::uint64_t> c;
  // c·S is finite in any case; c itself is what unscaling gives back. To overflow there, the
  // coefficients of two micro-batches are needed: each is finite, their sum times S is, their sum
  // is not.
  const bool overflows_on_unscale = draw.coin();
  for (std::size_t i = 0; i < length; ++i) c.push_back(draw_normal(draw, f, -3, 3));
  std::uint64_t& one =
      c[static_cast<std::size_t>(draw.between(0, static_cast<std::int64_t>(length) - 1))];
  if (!overflows_on_unscale) {
    one = draw_non_finite(draw, f);
    builder.backward({{"w", vector(c, f)}});
  } else {
    one = f.max_finite() | (draw.coin() ? f.sign_bit() : 0);
    builder.backward({{"w", vector(c, f)}}, false).backward({{"w", vector(c, f)}});
  }
  if (draw.coin()) builder.unscale("o");
  builder.step("o").observe({"parameter/w"});
  return builder.done();
}

AMPCHECK_CLAUSE("skipping/nothing-non-finite-gets-in", kParameter, generate);

}  // namespace
}  // namespace ampcheck::properties
