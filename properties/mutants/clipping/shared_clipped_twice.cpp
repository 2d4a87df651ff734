#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct SharedClippedTwice : subject::Textbook {
  void clip_norm(const std::vector<Variable*>& variables, double limit) override {
    const double factor = std::min(limit / norm(variables), 1.0);
    Textbook::clip_norm(variables, limit);
    for (Variable* v : variables)
      if (std::ranges::count_if(optimizers_, [&](const auto& o) {
            return std::ranges::find(o.second.variables, v->name) != o.second.variables.end();
          }) > 1)
        for (double& g : v->gradient.values) g *= factor;
  }
};

AMPCHECK_MUTANT(SharedClippedTwice, "shared-clipped-twice", "clipping",
                "a tensor of two optimizers is multiplied with the factor twice");

}  // namespace
}  // namespace ampcheck::properties
