#include "properties/clause.hpp"
#include "properties/generators/corners/step_corners.hpp"
#include "properties/generators/gradients.hpp"
#include "properties/generators/shares.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// The step of SGD with the hyper-parameters people use: decimal learning rates, weight decay,
// momentum. Half of the cases are exact.
Case generate_with_usual_settings(Draw& draw) {
  const NumberFormat& f = *draw.pick({&binary32, &binary32, &bfloat16});
  const std::size_t length = static_cast<std::size_t>(draw.between(1, 4));
  const bool exact = draw.coin();
  const auto decimal = [&](int low, int high) {
    return scalar(draw_normal(draw, binary64, low, high) & ~binary64.sign_bit(), binary64);
  };
  ScalerPlan plan;
  plan.init_scale =
      exact ? scalar_power_of_two(static_cast<int>(draw.between(1, 20)), binary32)
            : scalar(draw_normal(draw, binary32, 1, 20) & ~binary32.sign_bit(), binary32);
  subject::MakeOptimizer sgd;
  sgd.name = "o";
  sgd.form = draw_form(draw);
  subject::Parameter w = zeros("w", length, binary32);
  for (std::uint64_t& bits : w.initial.bits)
    bits = exact ? dyadic(draw.between(-64, 64), -3, binary32) : draw_normal(draw, binary32, -3, 3);
  sgd.parameters = {w};
  sgd.hyper["lr"] = exact ? scalar_power_of_two(static_cast<int>(draw.between(-6, 0)), binary64)
                          : decimal(-6, -1);
  if (draw.coin())
    sgd.hyper["weight_decay"] =
        exact ? scalar_power_of_two(static_cast<int>(draw.between(-4, -1)), binary64)
              : decimal(-4, -1);
  if (draw.chance(3)) sgd.hyper["momentum"] = draw_share(draw);
  std::vector<std::uint64_t> c;
  for (std::size_t i = 0; i < length; ++i)
    c.push_back(exact ? dyadic(2 * draw.between(1, 60) + 1, -5, f) : draw_normal(draw, f, -4, 4));
  CaseBuilder builder;
  builder.scaler(plan).optimizer(sgd).backward({{"w", vector(c, f)}});
  if (draw.coin()) builder.unscale("o");
  builder.step("o").observe({"parameter/w"});
  return builder.done();
}

Case generate_corners(Draw& draw) {
  const StepCorners corners = draw_step_corners(draw);
  const NumberFormat& f = *corners.format;
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(0, binary32);
  subject::MakeOptimizer sgd;
  sgd.name = "o";
  sgd.form = draw_form(draw);
  sgd.hyper["lr"] = corners.rate;
  sgd.parameters = {zeros("w", corners.parameters.size(), f)};
  sgd.parameters.front().initial.bits = corners.parameters;
  CaseBuilder builder;
  builder.scaler(plan)
      .optimizer(sgd)
      .backward({{"w", vector(corners.gradients, f)}})
      .step("o")
      .observe({"parameter/w"});
  return builder.done();
}

Case generate(Draw& draw) {
  return draw.coin() ? generate_corners(draw) : generate_with_usual_settings(draw);
}

AMPCHECK_CLAUSE("scaling/step-size-unchanged", kParameter, generate);

}  // namespace
}  // namespace ampcheck::properties
