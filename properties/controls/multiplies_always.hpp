// A clip that multiplies by its factor also where that is 1.
#pragma once

#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {

struct MultipliesAlways : subject::Textbook {
  void clip_norm(const std::vector<Variable*>& variables, double limit) override {
    const double factor = clip_factor(shown_norm(variables), limit);
    for (Variable* v : variables)
      for (double& g : v->gradient.values) g = subject::narrow(g * factor, *v->gradient.format);
  }
};

}  // namespace ampcheck::properties
