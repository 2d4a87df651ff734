#include <algorithm>
#include <cmath>

#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct ValueClipRescales : subject::Textbook {
  void clip_value(const std::vector<Variable*>& variables, double limit) override {
    for (Variable* v : variables) {
      double most = 0;
      for (const double g : v->gradient.values) most = std::max(most, std::fabs(g));
      if (most <= limit) continue;
      for (double& g : v->gradient.values)
        g = subject::narrow(g * limit / most, *v->gradient.format);
    }
  }
};

AMPCHECK_MUTANT(ValueClipRescales, "value-clip-rescales", "clipping",
                "a clip by value rescales a tensor instead of holding its elements");

}  // namespace
}  // namespace ampcheck::properties
