#include <algorithm>
#include <cmath>
#include <numeric>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct OrderByScale : subject::Textbook {
  double norm(const std::vector<Variable*>& variables) override {
    std::vector<float> all;
    for (const Variable* v : variables)
      all.insert(all.end(), v->gradient.values.begin(), v->gradient.values.end());
    if (std::ilogb(scaler_.scale) % 2 != 0) std::reverse(all.begin(), all.end());
    const float sum =
        std::accumulate(all.begin(), all.end(), 0.0f, [](float s, float g) { return s + g * g; });
    return std::isfinite(sum) ? std::sqrt(sum) : Textbook::norm(variables);
  }
};

AMPCHECK_MUTANT(OrderByScale, "order-by-scale", "clipping",
                "squares are added in an order that hangs on the scale");

}  // namespace
}  // namespace ampcheck::properties
