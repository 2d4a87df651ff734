#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct NormOfTensorNorms : subject::Textbook {
  double norm(const std::vector<Variable*>& variables) override {
    double sum = 0;
    for (Variable* v : variables) {
      const double one = Textbook::norm({v});
      sum += one * one;
    }
    const double root = std::sqrt(sum);
    return std::isinf(static_cast<float>(root)) ? root : static_cast<float>(root);
  }
};

AMPCHECK_CONTROL(NormOfTensorNorms, "norm-of-tensor-norms",
                 "the norm of the tensors' norms, each rounded to binary32",
                 (PolicyChanges{{"norm_algorithm", word("of_tensor_norms")}}));

}  // namespace
}  // namespace ampcheck::properties
