#include <algorithm>
#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

// The running scale of BLAS's nrm2, in binary32.
struct RescaledNorm : subject::Textbook {
  double norm(const std::vector<Variable*>& variables) override {
    float scale = 0, sum = 1;
    for (const Variable* v : variables)
      for (const double g : v->gradient.values) {
        const float x = std::fabs(static_cast<float>(g));
        if (x == 0) continue;
        const float ratio = scale < x ? scale / x : x / scale;
        sum = scale < x ? 1 + sum * (ratio * ratio) : sum + ratio * ratio;
        scale = std::max(scale, x);
      }
    const float n = scale * std::sqrt(sum);
    return std::isinf(n) ? static_cast<double>(scale) * std::sqrt(sum) : n;
  }
};

AMPCHECK_CONTROL(RescaledNorm, "rescaled-norm", "divides by the largest element before it squares",
                 (PolicyChanges{{"norm_algorithm", word("rescaled")}}));

}  // namespace
}  // namespace ampcheck::properties
