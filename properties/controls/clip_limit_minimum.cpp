#include <algorithm>
#include <cmath>

#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct ClipLimitMinimum : subject::Textbook {
  void clip_norm(const std::vector<Variable*>& variables, double limit) override {
    const double n = shown_norm(variables);
    double factor = f32(limit * std::min(f32(1 / n), f32(1 / limit)));
    if (std::isinf(f32(n))) factor = limit / n;  // a norm beyond binary32
    for (Variable* v : variables)
      for (double& g : v->gradient.values) g = subject::narrow(g * factor, *v->gradient.format);
  }
  static double f32(double x) { return static_cast<float>(x); }
};

AMPCHECK_CONTROL(ClipLimitMinimum, "clip-limit-minimum", "multiplies by c·min(1/norm, 1/c), always",
                 (PolicyChanges{{"clip_formula", word("limit_minimum")},
                                {"unneeded_clip", word("multiplies")}}));

}  // namespace
}  // namespace ampcheck::properties
