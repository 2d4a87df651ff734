#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct NeverUnscaledStep : subject::Textbook {
  void divide_gradients(Optimizer& o) override {
    for (Variable* v : with_gradient(o)) v->unit = subject::Unit::unscaled;
  }
};

AMPCHECK_MUTANT(NeverUnscaledStep, "never-unscaled-step", "scaling",
                "the step uses scaled gradients");

}  // namespace
}  // namespace ampcheck::properties
