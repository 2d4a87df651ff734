// Gradients with a p-norm that comes out exactly, whatever the order of additions.
#pragma once

#include "properties/generators/norms.hpp"

namespace ampcheck::properties {

// p in binary32, integers, and their p-norm.
struct PowerSum {
  Scalar p;
  std::vector<std::int64_t> integers;  // with their signs
  std::int64_t norm;
};

// Of p = 1, 2, 3 or inf; two of seven are 2, for subjects that offer no other. A norm has at most 8
// bits, which every format has. The largest element is mostly negative.
PowerSum draw_power_sum(Draw&);

}  // namespace ampcheck::properties
