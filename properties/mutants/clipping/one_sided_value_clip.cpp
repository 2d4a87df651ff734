#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct OneSidedValueClip : subject::Textbook {
  void clip_value(const std::vector<Variable*>& variables, double limit) override {
    for (Variable* v : variables)
      for (double& g : v->gradient.values) g = std::min(g, limit);
  }
};

AMPCHECK_MUTANT(OneSidedValueClip, "one-sided-value-clip", "clipping",
                "a clip by value has no lower side");

}  // namespace
}  // namespace ampcheck::properties
