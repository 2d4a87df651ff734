// The kill matrix as a data file.
#pragma once

#include <string>

#include "properties/kill_matrix.hpp"

namespace ampcheck::conformance {

// One line a mutant and a control, so that a change is seen line by line. Numbers of seeds stand
// beside the clauses.
std::string kill_matrix_json(const properties::KillMatrix&, const properties::KillMatrixOptions&);

}  // namespace ampcheck::conformance
