#include "properties/clause.hpp"
#include "properties/generators/adam.hpp"
#include "properties/generators/gradients.hpp"
#include "properties/generators/matrices.hpp"
#include "properties/generators/shares.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// Lengths on both sides of the blocks that vectorized steps work in; of Adam, most of whose
// elements have sets, mostly short ones.
std::size_t draw_steps_length(Draw& draw, bool adam) {
  if (adam && !draw.chance(4)) return static_cast<std::size_t>(draw.between(1, 8));
  const std::int64_t some = adam ? draw.between(9, 11) : draw.between(31, 40);
  return static_cast<std::size_t>(draw.pick({draw.between(1, 8), draw.between(15, 17), some}));
}

subject::MakeOptimizer draw_sgd(Draw& draw, std::size_t length, const NumberFormat& f) {
  subject::MakeOptimizer sgd;
  sgd.name = "o";
  // Fused ones are all that some libraries offer in short formats.
  sgd.form = f.width < 32 && draw.chance(3) ? subject::OptimizerForm::fused : draw_form(draw);
  sgd.hyper = {{"lr", scalar_power_of_two(-1, binary64)}};
  if (draw.coin()) sgd.hyper["momentum"] = draw_share(draw);
  if (draw.coin()) sgd.hyper["weight_decay"] = scalar_power_of_two(-2, binary64);
  sgd.parameters = {zeros("w", length, f)};
  return sgd;
}

// Clean windows and nothing else, of SGD with momentum and decay in three formats, or of Adam,
// unscaled by the loop or by the step. Momentum moves the parameters also where a later gradient is
// zero.
Case generate(Draw& draw) {
  const bool adam = draw.coin();
  const NumberFormat& f =
      adam ? binary32 : *draw.pick({&binary32, &binary32, &binary16, &bfloat16});
  const std::size_t length = draw_steps_length(draw, adam);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(static_cast<int>(draw.between(0, 8)), binary32);
  const subject::MakeOptimizer made =
      adam ? draw_adam(draw, "o", {zeros("w", length, binary32)}) : draw_sgd(draw, length, f);
  CaseBuilder builder;
  builder.scaler(plan).optimizer(made);
  const std::int64_t windows = adam ? draw_adam_steps(draw) : draw.between(1, 3);
  for (std::int64_t w = 1; w <= windows; ++w) {
    std::vector<std::uint64_t> c =
        adam ? draw_adam_gradient(draw, length, binary32) : draw_integers(draw, length, 4, -2, f);
    if (!adam && w > 1 && made.hyper.contains("momentum") && draw.coin()) c.assign(length, 0);
    builder.backward({{"w", vector(std::move(c), f)}});
    if (draw.coin()) builder.unscale("o");
    builder.step("o").observe({"parameter/w"});
    builder.update().zero_grad("o");
  }
  return with_matrices(draw, builder.done());
}

AMPCHECK_CLAUSE("skipping/clean-step-taken", kStepped | kParameter, generate);

}  // namespace
}  // namespace ampcheck::properties
