// Tensors of two dimensions, which some optimizers treat in another way.
#pragma once

#include "properties/generators/case_builder.hpp"

namespace ampcheck::properties {

// The case, one time in three with all parameters of one dimension as matrices of the same
// elements: of two columns, or of one row where their number is odd.
Case with_matrices(Draw&, Case);

}  // namespace ampcheck::properties
