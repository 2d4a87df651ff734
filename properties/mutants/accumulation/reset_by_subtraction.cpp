#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ResetBySubtraction : subject::Textbook {
  void zero_grad(Optimizer& o) override {
    for (Variable* v : with_gradient(o)) {
      for (double& g : v->gradient.values) g -= g;
      v->unit = subject::Unit::scaled;
    }
  }
};

AMPCHECK_MUTANT(ResetBySubtraction, "reset-by-subtraction", "accumulation",
                "the accumulator is emptied by adding its negative");

}  // namespace
}  // namespace ampcheck::properties
