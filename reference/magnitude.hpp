// |g| of one element, as norms take it.
#pragma once

#include <vector>

#include "reference/admissible.hpp"

namespace ampcheck::reference {

// Bounds, equal where it is known.
struct Magnitude {
  Rational low, high;
};

using Magnitudes = std::vector<Magnitude>;

}  // namespace ampcheck::reference
