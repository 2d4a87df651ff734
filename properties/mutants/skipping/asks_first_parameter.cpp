#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct AsksFirstParameter : subject::Textbook {
  void unscale(Optimizer& o) override {
    if (variable(o.variables.front()).has_gradient) Textbook::unscale(o);
  }
};

AMPCHECK_MUTANT(AsksFirstParameter, "asks-first-parameter", "skipping",
                "an optimizer whose first parameter has no gradient is taken to have none");

}  // namespace
}  // namespace ampcheck::properties
