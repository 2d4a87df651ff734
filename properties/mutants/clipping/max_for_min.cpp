#include <algorithm>

#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct MaxForMin : subject::Textbook {
  void clip_norm(const std::vector<Variable*>& variables, double limit) override {
    const double n = shown_norm(variables);
    if (n == 0) return;
    const double factor = std::max(subject::narrow(limit / n, reference::binary32), 1.0);
    for (Variable* v : variables)
      for (double& g : v->gradient.values) g = subject::narrow(g * factor, *v->gradient.format);
  }
};

AMPCHECK_MUTANT(MaxForMin, "max-for-min", "clipping",
                "the factor is held above 1 instead of below it");

}  // namespace
}  // namespace ampcheck::properties
