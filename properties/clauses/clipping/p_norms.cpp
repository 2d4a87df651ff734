#include "properties/generators/p_norms.hpp"

#include "properties/clause.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

struct Pieces {
  std::vector<TensorPlan> plans;
  std::vector<subject::Coefficients> coefficients;
};

// Up to three tensors of one format, none empty.
Pieces draw_pieces(Draw& draw, const std::vector<std::int64_t>& integers, int base) {
  const TensorFormats formats = draw.pick<TensorFormats>({{&binary32, &binary32},
                                                          {&binary32, &binary32},
                                                          {&binary16, &binary32},
                                                          {&bfloat16, &binary32},
                                                          {&bfloat16, &bfloat16}});
  const auto count =
      static_cast<std::size_t>(draw.between(1, std::min<std::int64_t>(3, std::ssize(integers))));
  std::vector<std::vector<std::uint64_t>> pieces(count);
  for (std::size_t i = 0; i < integers.size(); ++i) {
    const std::size_t at =
        i < count ? i : static_cast<std::size_t>(draw.between(0, std::ssize(pieces) - 1));
    pieces[at].push_back(dyadic(integers[i], base, *formats.delivered));
  }
  Pieces made;
  for (std::size_t i = 0; i < count; ++i) {
    made.plans.push_back({"p" + std::to_string(i), formats, pieces[i].size()});
    made.coefficients.push_back({made.plans.back().name, vector(pieces[i], *formats.delivered)});
  }
  return made;
}

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
  const Pieces pieces = draw_pieces(draw, sum.integers, base);
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
