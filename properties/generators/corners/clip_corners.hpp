// Clips by a norm that aim at the corners of rounding.
#pragma once

#include <cstdint>
#include <vector>

#include "properties/generators/case_builder.hpp"

namespace ampcheck::properties {

// Gradients in binary32 and a limit below their norm, which is a power of two, or next to one.
struct ClipCorners {
  std::vector<std::uint64_t> gradient;
  Scalar limit;
};
ClipCorners draw_clip_corners(Draw&);

}  // namespace ampcheck::properties
