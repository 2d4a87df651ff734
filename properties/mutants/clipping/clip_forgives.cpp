#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ClipForgives : subject::Textbook {
  void clip_norm(const std::vector<Variable*>& variables, double limit) override {
    if (std::isfinite(shown_norm(variables))) return Textbook::clip_norm(variables, limit);
    for (Variable* v : variables) v->gradient.values.assign(v->gradient.values.size(), 0.0);
    for (auto& [name, o] : optimizers_) o.found_non_finite = false;
  }
};

AMPCHECK_MUTANT(ClipForgives, "clip-forgives", "clipping",
                "a clip clears gradients that hold an inf or NaN, and takes the step");

}  // namespace
}  // namespace ampcheck::properties
