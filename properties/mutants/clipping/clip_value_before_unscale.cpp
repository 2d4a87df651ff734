#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ClipValueBeforeUnscale : subject::Textbook {
  void clip_value(const std::vector<Variable*>& variables, double limit) override {
    for (Variable* v : variables)
      for (double& g : v->gradient.values)
        g = std::clamp(g * scaler_.scale, -limit, limit) / scaler_.scale;
  }
};

AMPCHECK_MUTANT(ClipValueBeforeUnscale, "clip-value-before-unscale", "clipping",
                "clips scaled gradients by value with the unscaled limit");

}  // namespace
}  // namespace ampcheck::properties
