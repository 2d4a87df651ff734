#include <algorithm>
#include <cmath>
#include <numeric>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct OrderByTurn : subject::Textbook {
  double norm(const std::vector<Variable*>& variables) override {
    std::vector<float> all;
    for (const Variable* v : variables)
      all.insert(all.end(), v->gradient.values.begin(), v->gradient.values.end());
    if (turn_++ % 2 != 0) std::reverse(all.begin(), all.end());
    const float sum =
        std::accumulate(all.begin(), all.end(), 0.0f, [](float s, float g) { return s + g * g; });
    return std::isfinite(sum) ? std::sqrt(sum) : Textbook::norm(variables);
  }
  int turn_ = 0;
};

AMPCHECK_MUTANT(OrderByTurn, "order-by-turn", "clipping",
                "squares are added in another order each time");

}  // namespace
}  // namespace ampcheck::properties
