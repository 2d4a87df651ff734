#include "properties/generators/adam.hpp"

#include <bit>
#include <utility>

namespace ampcheck::properties {

using reference::binary64;

subject::MakeOptimizer exact_adam(const std::string& name,
                                  std::vector<subject::Parameter> parameters,
                                  subject::OptimizerKind kind) {
  subject::MakeOptimizer adam;
  adam.name = name;
  adam.kind = kind;
  adam.hyper = {{"lr", scalar_power_of_two(-3, binary64)},
                {"beta1", scalar(dyadic(7, -3, binary64), binary64)},
                {"beta2", scalar(dyadic(1023, -10, binary64), binary64)},
                {"eps", scalar_power_of_two(-60, binary64)}};
  adam.parameters = std::move(parameters);
  return adam;
}

subject::MakeOptimizer draw_adam(Draw& draw, const std::string& name,
                                 std::vector<subject::Parameter> parameters) {
  subject::MakeOptimizer adam =
      exact_adam(name, std::move(parameters),
                 draw.coin() ? subject::OptimizerKind::adam : subject::OptimizerKind::adamw);
  if (draw.chance(3))
    for (const auto& [setting, value] :
         {std::pair{"lr", 0.1}, {"beta1", 0.9}, {"beta2", 0.999}, {"eps", 1e-8}})
      adam.hyper[setting] = {&binary64, std::bit_cast<std::uint64_t>(value)};
  if (draw.coin())
    adam.hyper["eps"] = scalar_power_of_two(static_cast<int>(draw.between(-2, 1)), binary64);
  if (draw.coin()) {
    adam.hyper["weight_decay"] = scalar(dyadic(draw.between(1, 7), -4, binary64), binary64);
    // What is 0 does not decay; what has all its bits tells decay inside of the update from decay
    // before it.
    const bool is_long = draw.coin();
    for (subject::Parameter& p : adam.parameters)
      for (std::uint64_t& bits : p.initial.bits)
        bits = is_long ? draw_normal(draw, *p.initial.format, -2, 2)
                       : dyadic(draw.coin() ? 1 : -1, static_cast<int>(draw.between(-1, 1)),
                                *p.initial.format);
  }
  return adam;
}

std::int64_t draw_adam_steps(Draw& draw) { return draw.coin() ? 2 : draw.between(3, 6); }

std::vector<std::uint64_t> draw_adam_gradient(Draw& draw, std::size_t length,
                                              const NumberFormat& f) {
  // Of more bits than a short format keeps, or 0, in one case of four.
  const bool is_long = draw.chance(4);
  // Beyond what anything is clamped to.
  const bool is_far = draw.chance(4);
  std::vector<std::uint64_t> c;
  for (std::size_t i = 0; i < length; ++i) {
    // The first one moves its parameter in any case.
    const bool is_zero = is_long && i > 0 && draw.chance(3);
    const std::int64_t magnitude = is_zero ? 0 : is_long ? draw.between(1, 4095) : 1;
    const std::int64_t range = is_far ? 40 : 2;
    const int exponent = static_cast<int>(draw.between(-range, range)) - (is_long ? 11 : 0);
    c.push_back(dyadic(draw.coin() ? magnitude : -magnitude, exponent, f));
  }
  return c;
}

}  // namespace ampcheck::properties
