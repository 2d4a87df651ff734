// Products with a scale that aim at the corners of rounding.
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
ScaleCorners draw_scale_corners(Draw &);

}  // namespace ampcheck::properties
