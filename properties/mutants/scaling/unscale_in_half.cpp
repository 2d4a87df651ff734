#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct UnscaleInHalf : subject::Textbook {
  void divide_gradients(Optimizer& o) override {
    for (Variable* v : with_gradient(o)) {
      if (v->unit == subject::Unit::unscaled || *v->value.format != reference::binary16) continue;
      const double reciprocal = subject::narrow(1 / scaler_.scale, reference::binary16);
      for (double& x : v->gradient.values) x = subject::narrow(x * reciprocal, reference::binary16);
      v->unit = subject::Unit::unscaled;
    }
    Textbook::divide_gradients(o);
  }
};

AMPCHECK_MUTANT(UnscaleInHalf, "unscale-in-half", "scaling",
                "unscales the gradients of binary16 parameters in binary16");

}  // namespace
}  // namespace ampcheck::properties
