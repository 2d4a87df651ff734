// Sums of two terms that aim at the corners of rounding.
#pragma once

#include <cstdint>
#include <vector>

#include "properties/generators/case_builder.hpp"

namespace ampcheck::properties {

// Terms of two micro-batches, to be added without a scale.
struct SumCorners {
  const NumberFormat* format;
  std::vector<std::uint64_t> first, second;
};
SumCorners draw_sum_corners(Draw&);

}  // namespace ampcheck::properties
