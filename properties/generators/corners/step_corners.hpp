// Steps of SGD that aim at the corners of rounding.
#pragma once

#include <cstdint>
#include <vector>

#include "properties/generators/case_builder.hpp"

namespace ampcheck::properties {

// Parameters and gradients of one format, and a learning rate that is a power of two, for p - lr·g.
// The last parameter is 0 and its gradient 1, which every step moves.
struct StepCorners {
  const NumberFormat* format;
  std::vector<std::uint64_t> parameters, gradients;
  Scalar rate;
};
StepCorners draw_step_corners(Draw&);

}  // namespace ampcheck::properties
