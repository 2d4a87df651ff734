// Gradients with a norm that comes out exactly, whatever algorithm takes it.
#pragma once

#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {

// Integers whose squares sum to a square, spread over the tensors of a session: `norm`² = sum of
// squares.
struct SquareSum {
  std::vector<std::int64_t> integers;
  std::int64_t norm;
};
// Half of them have a norm that is a power of two and a factor that any clip formula computes
// exactly.
SquareSum draw_square_sum(Draw&);

// Tensors p0, p1, … that hold the integers times 2^base, in shuffled order, in up to three pieces.
struct NormWindow {
  std::vector<TensorPlan> plans;
  std::vector<subject::Coefficients> coefficients;
  std::int64_t norm;  // times 2^base
  int base;
  int scale;
};
// Norms are at least 2^5: the epsilon of 1e-6 that some clips add is then lost in binary32, and
// order-exact cases stay exact.
NormWindow draw_norm_window(Draw&);

}  // namespace ampcheck::properties
