#include "properties/generators/matrices.hpp"

#include <variant>

namespace ampcheck::properties {
namespace {

void fold(subject::Tensor& tensor) {
  if (tensor.shape.size() != 1) return;
  const std::int64_t n = tensor.shape.front();
  tensor.shape = n % 2 == 0 ? std::vector{n / 2, std::int64_t{2}} : std::vector{std::int64_t{1}, n};
}

}  // namespace

Case with_matrices(Draw& draw, Case made) {
  if (!draw.chance(3)) return made;
  for (subject::Step& step : made.steps) {
    if (auto* optimizer = std::get_if<subject::MakeOptimizer>(&step.action))
      for (subject::Parameter& p : optimizer->parameters) fold(p.initial);
    if (auto* backward = std::get_if<subject::Backward>(&step.action))
      for (subject::Coefficients& c : backward->coefficients) fold(c.values);
  }
  return made;
}

}  // namespace ampcheck::properties
