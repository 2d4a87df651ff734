#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ZeroOverZero : subject::Textbook {
  void clip_norm(const std::vector<Variable*>& variables, double limit) override {
    const double n = shown_norm(variables);
    if (n != 0) return Textbook::clip_norm(variables, limit);
    for (Variable* v : variables)
      for (double& g : v->gradient.values) g = g / n * limit;
  }
};

AMPCHECK_MUTANT(ZeroOverZero, "zero-over-zero", "clipping",
                "gradients are divided by their norm, also where it is zero");

}  // namespace
}  // namespace ampcheck::properties
