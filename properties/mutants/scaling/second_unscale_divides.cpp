#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct SecondUnscaleDivides : subject::Textbook {
  void refuse_second_unscale(const Optimizer& o) override {
    if (!o.unscaled) return;
    for (Variable* v : with_gradient(o))
      for (double& x : v->gradient.values) x = unscaled(x, *v->gradient.format);
  }
};

AMPCHECK_MUTANT(SecondUnscaleDivides, "second-unscale-divides", "scaling",
                "a second unscale in a window divides again");

}  // namespace
}  // namespace ampcheck::properties
