#include "properties/generators/p_norms.hpp"

#include "properties/clause.hpp"
#include "properties/generators/pieces.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// Mostly a NaN, in any place.
std::vector<subject::Coefficients> spoilt(Draw& draw, std::vector<subject::Coefficients> given) {
  Tensor& values = given[static_cast<std::size_t>(draw.between(0, std::ssize(given) - 1))].values;
  std::uint64_t& bits =
      values.bits[static_cast<std::size_t>(draw.between(0, std::ssize(values.bits) - 1))];
  bits =
      draw_of_class(draw, draw.chance(4) ? FloatClass::infinity : FloatClass::nan, *values.format);
  return given;
}

// A window whose norm is known, and often one with a NaN before or after it, whose norm is none.
Case generate(Draw& draw) {
  const PowerSum sum = draw_power_sum(draw);
  const int base = static_cast<int>(draw.between(5, 8));
  const TensorFormats formats = draw.pick<TensorFormats>({{&binary32, &binary32},
                                                          {&binary32, &binary32},
                                                          {&binary16, &binary32},
                                                          {&bfloat16, &binary32},
                                                          {&bfloat16, &bfloat16}});
  const Pieces pieces = draw_pieces(draw, sum.integers, base, formats, Signs::given);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(static_cast<int>(draw.between(-4, 4)), binary32);
  const Scalar limit =
      scalar(dyadic(sum.norm, base + static_cast<int>(draw.between(-4, 1)), binary32), binary32);
  const bool spoils = draw.chance(3), spoils_first = draw.coin();
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", parameters_of(pieces.plans));
  const auto spoil = [&] {
    builder.backward(spoilt(draw, pieces.coefficients)).unscale("o");
    builder.clip_norm({"o"}, limit, sum.p).observe({"norm"}).finish_window("o");
  };
  if (spoils && spoils_first) spoil();
  builder.backward(pieces.coefficients)
      .unscale("o")
      .clip_norm({"o"}, limit, sum.p)
      .observe({"norm"})
      .observe(names("gradient", names_of(pieces.plans)));
  if (!spoils || spoils_first) return builder.done();
  builder.finish_window("o");
  spoil();
  return builder.done();
}

AMPCHECK_CLAUSE("clipping/p-norms", kGradient | kNorm, generate);

}  // namespace
}  // namespace ampcheck::properties
