#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct CompensationKept : subject::Textbook {
  double norm(const std::vector<Variable*>& variables) override {
    float sum = 0;
    for (const Variable* v : variables)
      for (const double g : v->gradient.values) {
        const float term = static_cast<float>(g) * static_cast<float>(g) - lost_, next = sum + term;
        lost_ = std::isfinite(next) ? (next - sum) - term : 0;
        sum = next;
      }
    return std::isfinite(sum) ? std::sqrt(sum) : Textbook::norm(variables);
  }
  float lost_ = 0;
};

AMPCHECK_MUTANT(CompensationKept, "compensation-kept", "clipping",
                "what a compensated sum of squares lost at last goes into the next one");

}  // namespace
}  // namespace ampcheck::properties
