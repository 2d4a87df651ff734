// A norm whose squares are summed in binary32, and overflow there.
#pragma once

#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {

struct SquaresInBinary32 : subject::Textbook {
  double norm(const std::vector<Variable*>& variables) override {
    float sum = 0;
    for (const Variable* v : variables)
      for (const double g : v->gradient.values)
        sum += static_cast<float>(g) * static_cast<float>(g);
    return std::sqrt(sum);
  }
};

}  // namespace ampcheck::properties
