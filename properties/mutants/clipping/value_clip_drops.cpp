#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ValueClipDrops : subject::Textbook {
  void clip_value(const std::vector<Variable*>& variables, double limit) override {
    for (Variable* v : variables)
      for (double& g : v->gradient.values)
        if (std::fabs(g) > limit) g = 0;
  }
};

AMPCHECK_MUTANT(ValueClipDrops, "value-clip-drops", "clipping",
                "a clip by value makes what lies beyond the limit zero");

}  // namespace
}  // namespace ampcheck::properties
