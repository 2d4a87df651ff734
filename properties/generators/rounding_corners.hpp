// Operands whose exact results lie where rounding shows: next to half way between two numbers and
// on it, below a power of two, in the subnormal range and below it, and at the overflow threshold.
#pragma once

#include <cstdint>
#include <vector>

#include "properties/generators/case_builder.hpp"

namespace ampcheck::properties {

// Coefficients c of one format, which are delivered in another where that has eight bits.
struct Corners {
  const NumberFormat *given, *delivered;
  std::vector<std::uint64_t> coefficients;
};
// Tensors of such, and a scale S = odd·2^k (binary32), for S·c.
struct ScaleCorners {
  Scalar scale;
  std::vector<Corners> tensors;
};
ScaleCorners draw_scale_corners(Draw&);

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

// Terms of two micro-batches, to be added without a scale.
struct SumCorners {
  const NumberFormat* format;
  std::vector<std::uint64_t> first, second;
};
SumCorners draw_sum_corners(Draw&);

// Gradients in binary32 and a limit below their norm, which is a power of two, or next to one.
struct ClipCorners {
  std::vector<std::uint64_t> gradient;
  Scalar limit;
};
ClipCorners draw_clip_corners(Draw&);

// Parameters and gradients of one format, and a learning rate that is a power of two, for p - lr·g.
// The last parameter is 0 and its gradient 1, which every step moves.
struct StepCorners {
  const NumberFormat* format;
  std::vector<std::uint64_t> parameters, gradients;
  Scalar rate;
};
StepCorners draw_step_corners(Draw&);

}  // namespace ampcheck::properties
