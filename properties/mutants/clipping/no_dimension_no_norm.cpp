#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct NoDimensionNoNorm : subject::Textbook {
  double norm(const std::vector<Variable*>& variables) override {
    std::vector<Variable*> with_dimension;
    for (Variable* v : variables)
      if (!v->value.shape.empty()) with_dimension.push_back(v);
    return Textbook::norm(with_dimension);
  }
};

AMPCHECK_MUTANT(NoDimensionNoNorm, "no-dimension-no-norm", "clipping",
                "a tensor without a dimension does not count");

}  // namespace
}  // namespace ampcheck::properties
