#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct MovesNoneGradients : subject::Textbook {
  void take_step(Optimizer& o) override {
    for (const std::string& name : o.variables) {
      Variable& v = variable(name);
      if (!v.has_gradient) v.gradient.values.assign(v.value.values.size(), 0.0);
      v.has_gradient = true;
    }
    Textbook::take_step(o);
  }
};

AMPCHECK_MUTANT(MovesNoneGradients, "moves-none-gradients", "skipping",
                "momentum and decay move parameters that have no gradient");

}  // namespace
}  // namespace ampcheck::properties
