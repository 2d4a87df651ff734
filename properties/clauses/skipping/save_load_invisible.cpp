#include "properties/clause.hpp"
#include "properties/generators/adam.hpp"
#include "properties/generators/gradients.hpp"
#include "properties/generators/shares.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// Saves and loads at any window boundary, the growth count anywhere between 0 and the interval:
// scale, parameters, state and growth go on as if nothing had been saved.
Case generate(Draw& draw) {
  const bool adam = draw.coin();
  ScalerPlan plan;
  // Settings and values with more bits than a short format keeps; Adam's steps stay exact.
  plan.init_scale = adam || draw.coin()
                        ? scalar_power_of_two(static_cast<int>(draw.between(0, 20)), binary32)
                        : scalar(dyadic(draw.between(1, 1 << 20) * 2 + 1, -4, binary32), binary32);
  if (draw.coin()) plan.growth_factor = scalar_power_of_two(2, binary64);
  if (draw.coin()) plan.backoff_factor = scalar_power_of_two(-2, binary64);
  plan.growth_interval = static_cast<int>(draw.between(2, 4));
  CaseBuilder builder;
  builder.scaler(plan);
  const std::vector<std::string> parameters = {"parameter/w", "parameter/v"};
  std::vector<std::string> seen = parameters;
  const auto see_state = [&](const std::string& slot) {
    for (const char* parameter : {"w", "v"}) seen.push_back("state/" + (parameter + ("/" + slot)));
  };
  if (adam) {
    builder.optimizer(draw_adam(draw, "o", {zeros("w", 2, binary32), zeros("v", 1, binary32)}));
    for (const char* slot : {"exp_avg", "exp_avg_sq", "step"}) see_state(slot);
  } else {
    subject::MakeOptimizer sgd;
    sgd.name = "o";
    sgd.hyper = {{"lr", scalar_power_of_two(-2, binary64)}};
    if (draw.coin()) {
      sgd.hyper["momentum"] = draw_share(draw);
      see_state("momentum_buffer");
    }
    if (draw.coin()) sgd.hyper["weight_decay"] = scalar_power_of_two(-3, binary64);
    sgd.parameters = {zeros("w", 2, binary32), zeros("v", 1, binary32)};
    for (subject::Parameter& p : sgd.parameters)
      for (std::uint64_t& bits : p.initial.bits) bits = draw_normal(draw, binary32, 0, 2);
    builder.optimizer(std::move(sgd));
  }
  std::int64_t clean = adam ? draw_adam_steps(draw) : draw.between(3, 7);  // bad ones do not count
  const std::vector<std::uint64_t> gradient = draw_adam_gradient(draw, 2, binary32),
                                   other = draw_adam_gradient(draw, 1, binary32);
  bool stepped = false, saved = false;
  while (clean > 0) {
    const bool bad = draw.chance(5);
    std::vector<std::uint64_t> c = gradient;
    if (bad) c[1] = draw_non_finite(draw, binary32);
    builder.backward({{"w", vector(c, binary32)}, {"v", vector(other, binary32)}}).step("o");
    stepped = stepped || !bad;
    clean -= bad ? 0 : 1;
    builder.observe(stepped ? seen : parameters);
    builder.update().observe({"scale"}).zero_grad("o");
    if (!saved || draw.coin()) {  // once at least
      saved = true;
      builder.save_load().observe(stepped ? seen : parameters);
      builder.observe({"scale"});
    }
  }
  return builder.done();
}

AMPCHECK_CLAUSE("skipping/save-load-invisible", kScale | kParameter | kState, generate);

}  // namespace
}  // namespace ampcheck::properties
