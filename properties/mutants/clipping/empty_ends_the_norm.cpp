#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct EmptyEndsTheNorm : subject::Textbook {
  double norm(const std::vector<Variable*>& variables) override {
    std::vector<Variable*> before;
    for (Variable* v : variables) {
      if (v->gradient.values.empty()) break;
      before.push_back(v);
    }
    return Textbook::norm(before);
  }
};

AMPCHECK_MUTANT(EmptyEndsTheNorm, "empty-ends-the-norm", "clipping",
                "tensors after an empty one do not count");

}  // namespace
}  // namespace ampcheck::properties
