#include <cmath>

#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct ExactClip : subject::Textbook {
  void clip_norm(const std::vector<Variable*>& variables, double limit) override {
    long double sum = 0;
    for (const Variable* v : variables)
      for (const double g : v->gradient.values) sum += static_cast<long double>(g) * g;
    const double shown = shown_norm(variables);
    const long double n = p_ == 2 ? std::sqrt(sum) : shown;
    if (n <= limit) return;
    for (Variable* v : variables)
      for (double& g : v->gradient.values)
        g = subject::narrow(static_cast<double>(g * limit / n), *v->gradient.format);
  }
};

AMPCHECK_CONTROL(ExactClip, "exact-clip", "g·limit/norm with 64 bits, rounded at the end",
                 (PolicyChanges{{"clip_formula", word("exact")}}));

}  // namespace
}  // namespace ampcheck::properties
