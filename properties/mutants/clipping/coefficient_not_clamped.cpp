#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct CoefficientNotClamped : subject::Textbook {
  void clip_norm(const std::vector<Variable*>& variables, double limit) override {
    const double factor = limit / shown_norm(variables);
    for (Variable* v : variables)
      for (double& g : v->gradient.values) g = subject::narrow(g * factor, *v->gradient.format);
  }
};

AMPCHECK_MUTANT(CoefficientNotClamped, "coefficient-not-clamped", "clipping",
                "small gradients are scaled up to the limit");

}  // namespace
}  // namespace ampcheck::properties
