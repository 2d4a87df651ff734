#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct SumTest : subject::Textbook {
  bool non_finite(const std::vector<Variable*>& variables) override {
    float sum = 0;
    for (const Variable* v : variables)
      for (const double g : v->gradient.values) sum += static_cast<float>(g);
    return !std::isfinite(sum);
  }
};

AMPCHECK_MUTANT(SumTest, "sum-test", "skipping",
                "infers overflow from the sum of the gradients in binary32");

}  // namespace
}  // namespace ampcheck::properties
