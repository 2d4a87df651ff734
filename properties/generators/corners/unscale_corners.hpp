// Quotients by a scale that aim at the corners of rounding.
#pragma once

#include <cstdint>
#include <vector>

#include "properties/generators/case_builder.hpp"

namespace ampcheck::properties {

// Coefficients c of micro-batches whose loss is divided by N, and a scale S = N·2^k. The cotangent
// is 2^k, which leaves c its significand, so that x = 2^k·c over S need not be a number of the
// format. The micro-batch comes once or twice.
struct UnscaleCorners {
  const NumberFormat* format;
  Scalar scale;
  std::int64_t divide;
  std::vector<std::uint64_t> coefficients;
  bool comes_twice;
};
UnscaleCorners draw_unscale_corners(Draw&);

}  // namespace ampcheck::properties
