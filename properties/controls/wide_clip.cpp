#include <algorithm>
#include <cmath>

#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct WideClip : subject::Textbook {
  double norm(const std::vector<Variable*>& variables) override {
    double sum = 0;
    for (const Variable* v : variables)
      for (const double g : v->gradient.values) sum += g * g;
    return std::sqrt(sum);
  }
  double clip_factor(double norm, double limit) override { return std::min(limit / norm, 1.0); }
};

AMPCHECK_CONTROL(WideClip, "wide-clip", "norm and factor of a clip are kept in binary64", {});

}  // namespace
}  // namespace ampcheck::properties
