// The p of a p-norm.
#pragma once

#include "reference/rounding.hpp"

namespace ampcheck::reference {

// (Σ|x|^p)^(1/p), or the largest |x| where p is infinite.
struct NormOrder {
  int p = 2;
  bool is_infinite = false;
  friend bool operator==(const NormOrder&, const NormOrder&) = default;
};

// From there on powers leave the range of most gradients, and their norm says little.
inline constexpr int kLargestNormOrder = 16;

// Of an integer from 1 to kLargestNormOrder, or inf. Throws BadSession for every other number.
NormOrder norm_order(const Number& p);

}  // namespace ampcheck::reference
