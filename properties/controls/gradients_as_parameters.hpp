// Gradients that are kept and summed in the format of their parameter.
#pragma once

#include "properties/built_in.hpp"

namespace ampcheck::properties {

struct GradientsAsParameters : subject::Textbook {
  void accumulate(Variable& v, const std::vector<double>& terms) override {
    v.gradient.format = v.value.format;
    Textbook::accumulate(v, terms);
  }
};

}  // namespace ampcheck::properties
