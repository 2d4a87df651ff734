#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct NormTestClears : subject::Textbook {
  double norm(const std::vector<Variable*>& variables) override {
    float sum = 0;
    for (const Variable* v : variables)
      for (const double g : v->gradient.values)
        sum += static_cast<float>(g) * static_cast<float>(g);
    return std::sqrt(sum);
  }
};

AMPCHECK_MUTANT(
    NormTestClears, "norm-test-clears", "clipping",
    "an overflow of the norm is said to skip, and clears the gradients of a step that is taken",
    {"finite_test", word("norm")});

}  // namespace
}  // namespace ampcheck::properties
