// Gradients far from 1, whose norm is exact all the same.
#pragma once

#include "properties/generators/norms.hpp"
#include "properties/generators/pieces.hpp"

namespace ampcheck::properties {

// The integers times 2^base, of either sign and in any order, in one to three tensors of one format
// of which all of that are numbers: binary16 where base is as small as that, else binary32 or
// bfloat16. None is empty.
Pieces draw_far_gradients(Draw&, const SquareSum&, int base);

}  // namespace ampcheck::properties
