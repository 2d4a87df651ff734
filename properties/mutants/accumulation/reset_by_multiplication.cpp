#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ResetByMultiplication : subject::Textbook {
  void zero_grad(Optimizer& o) override {
    for (Variable* v : with_gradient(o))
      for (double& x : v->gradient.values) x *= 0;
  }
};

AMPCHECK_MUTANT(ResetByMultiplication, "reset-by-multiplication", "accumulation",
                "the accumulator is reset by multiplying it with 0");

}  // namespace
}  // namespace ampcheck::properties
