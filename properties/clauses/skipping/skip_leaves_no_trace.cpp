#include "properties/clause.hpp"
#include "properties/generators/adam.hpp"
#include "properties/generators/gradients.hpp"
#include "properties/generators/matrices.hpp"
#include "properties/generators/shares.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// Skipped windows between clean ones, with optimizers that have state: SGD with momentum and Adam.
// State is compared across the skip, and the next clean step must be as if the bad window had not
// been.
Case generate(Draw& draw) {
  const bool adam = draw.coin();
  const std::size_t length = static_cast<std::size_t>(draw.between(1, 7));
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(static_cast<int>(draw.between(0, 16)), binary32);
  subject::MakeOptimizer optimizer;
  std::vector<std::string> seen = {"parameter/w"};
  if (adam) {
    optimizer = draw_adam(draw, "o", {zeros("w", length, binary32)});
    for (const char* slot : {"exp_avg", "exp_avg_sq", "step"})
      seen.push_back(std::string("state/w/") + slot);
  } else {
    optimizer.name = "o";
    optimizer.parameters = {zeros("w", length, binary32)};
    optimizer.hyper = {{"lr", scalar_power_of_two(-2, binary64)}, {"momentum", draw_share(draw)}};
    if (!draw.chance(4)) optimizer.hyper["dampening"] = draw_share(draw);
    if (draw.coin()) optimizer.hyper["weight_decay"] = scalar_power_of_two(-3, binary64);
    seen.emplace_back("state/w/momentum_buffer");
  }
  optimizer.form = draw.pick({subject::OptimizerForm::loop, subject::OptimizerForm::foreach,
                              subject::OptimizerForm::fused});
  CaseBuilder builder;
  builder.scaler(plan).optimizer(optimizer);
  std::vector<std::uint64_t> gradient = draw_adam_gradient(draw, length, binary32);
  const std::int64_t bad_first = draw.between(0, 1), bad_between = draw.between(1, 4);
  const auto play_window = [&](bool bad, bool has_state) {
    std::vector<std::uint64_t> c = gradient;
    if (bad)
      c[static_cast<std::size_t>(draw.between(0, static_cast<std::int64_t>(length) - 1))] =
          draw_non_finite(draw, binary32);
    builder.backward({{"w", vector(c, binary32)}}).step("o");
    builder.observe(has_state ? seen : std::vector<std::string>{"parameter/w"});
    builder.update().zero_grad("o");
  };
  for (std::int64_t i = 0; i < bad_first; ++i) play_window(true, false);
  play_window(false, true);
  for (std::int64_t i = 0; i < bad_between; ++i) play_window(true, true);
  play_window(false, true);
  // What an optimizer does wrong with moments that are no longer the first.
  for (std::int64_t i = adam ? draw_adam_steps(draw) : 2; i > 2; --i) {
    gradient = draw_adam_gradient(draw, length, binary32);
    play_window(false, true);
  }
  return with_matrices(draw, builder.done());
}

AMPCHECK_CLAUSE("skipping/skip-leaves-no-trace", kParameter | kState | kStepped, generate);

}  // namespace
}  // namespace ampcheck::properties
