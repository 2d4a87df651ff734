#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct OverflowClears : subject::Textbook {
  double norm(const std::vector<Variable*>& variables) override {
    float sum = 0;
    for (const Variable* v : variables)
      for (const double g : v->gradient.values)
        sum += static_cast<float>(g) * static_cast<float>(g);
    return std::sqrt(sum);
  }
};

AMPCHECK_MUTANT(OverflowClears, "overflow-clears", "clipping",
                "squares overflow in binary32, and limit/inf clears the gradients");

}  // namespace
}  // namespace ampcheck::properties
