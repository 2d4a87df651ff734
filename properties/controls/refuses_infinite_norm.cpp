#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

// torch's error_if_nonfinite.
struct RefusesInfiniteNorm : subject::Textbook {
  double norm(const std::vector<Variable*>& variables) override {
    float sum = 0;
    for (const Variable* v : variables)
      for (const double g : v->gradient.values)
        sum += static_cast<float>(g) * static_cast<float>(g);
    return std::sqrt(sum);
  }
  void clip_norm(const std::vector<Variable*>& variables, double limit) override {
    if (!std::isfinite(shown_norm(variables))) throw subject::Raised("the norm is not finite");
    Textbook::clip_norm(variables, limit);
  }
};

AMPCHECK_CONTROL(RefusesInfiniteNorm, "refuses-infinite-norm",
                 "squares overflow in binary32, and a norm that is inf or NaN is refused", {});

}  // namespace
}  // namespace ampcheck::properties
