#include "properties/clause.hpp"
#include "properties/generators/far_gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// Exact norms of gradients so large or so small that their squares leave binary32, or most of them
// do; gradients and norms do not, scaled or not.
Case generate(Draw& draw) {
  const SquareSum sum = draw_square_sum(draw);
  // Squares below 2^-149 and from 2^128 on; those of the largest integers first.
  const int base = static_cast<int>(draw.coin() ? draw.between(62, 115) : draw.between(-115, -75));
  const Pieces far = draw_far_gradients(draw, sum, base);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(static_cast<int>(draw.between(-4, 4)), binary32);
  const int ratio = static_cast<int>(draw.between(-3, 1));
  CaseBuilder builder;
  builder.scaler(plan)
      .sgd("o", parameters_of(far.plans))
      .backward(far.coefficients)
      .unscale("o")
      .clip_norm({"o"}, scalar(dyadic(sum.norm, base + ratio, binary32), binary32))
      .observe({"norm"});
  return builder.done();
}

AMPCHECK_CLAUSE("clipping/no-spurious-overflow", kNorm | kTrueNorm, generate);

}  // namespace
}  // namespace ampcheck::properties
