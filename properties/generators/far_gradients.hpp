// Gradients far from 1, whose norm is exact all the same.
#pragma once

#include "properties/generators/norms.hpp"

namespace ampcheck::properties {

struct FarGradients {
  std::vector<TensorPlan> plans;
  std::vector<subject::Coefficients> coefficients;
};

// The integers times 2^base, of either sign and in any order, in one to three tensors of one format
// of which all of that are numbers: binary16 where base is as small as that, else binary32 or
// bfloat16. None is empty.
FarGradients draw_far_gradients(Draw&, const SquareSum&, int base);

}  // namespace ampcheck::properties
