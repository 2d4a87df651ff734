#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct OppositeInfsCancel : subject::Textbook {
  bool non_finite(const std::vector<Variable*>& variables) override {
    double sum = 0;
    for (const Variable* v : variables)
      for (const double g : v->gradient.values) sum += g;
    return std::isinf(sum);
  }
};

AMPCHECK_MUTANT(OppositeInfsCancel, "opposite-infs-cancel", "skipping",
                "adds all elements up and tests the sum for infinity");

}  // namespace
}  // namespace ampcheck::properties
