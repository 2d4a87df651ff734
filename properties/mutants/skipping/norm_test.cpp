#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct NormTest : subject::Textbook {
  bool non_finite(const std::vector<Variable*>& variables) override {
    float sum = 0;
    for (const Variable* v : variables)
      for (const double g : v->gradient.values)
        sum += static_cast<float>(g) * static_cast<float>(g);
    return is_bad(sum);
  }
};

AMPCHECK_MUTANT(NormTest, "norm-test", "skipping",
                "takes the norm for the test, and does not say so");

}  // namespace
}  // namespace ampcheck::properties
