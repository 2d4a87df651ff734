#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct UnscaleTwice : subject::Textbook {
  bool step(Optimizer& o) override {
    if (o.unscaled) {
      for (Variable* v : with_gradient(o)) v->unit = subject::Unit::scaled;
      divide_gradients(o);
    }
    return Textbook::step(o);
  }
};

AMPCHECK_MUTANT(UnscaleTwice, "unscale-twice", "scaling",
                "unscales on request and again in the step");

}  // namespace
}  // namespace ampcheck::properties
