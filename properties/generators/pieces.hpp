// Gradients that are spread over tensors of one format.
#pragma once

#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {

struct Pieces {
  std::vector<TensorPlan> plans;
  std::vector<subject::Coefficients> coefficients;
};

enum class Signs { given, drawn };

// The integers times 2^base in one to three tensors p0, p1, …, none of them empty.
Pieces draw_pieces(Draw&, const std::vector<std::int64_t>& integers, int base, TensorFormats,
                   Signs);

}  // namespace ampcheck::properties
