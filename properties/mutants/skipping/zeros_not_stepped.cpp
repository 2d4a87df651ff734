#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ZerosNotStepped : subject::Textbook {
  void take_step(Optimizer& o) override {
    bool any = false;
    for (const Variable* v : with_gradient(o))
      for (const double g : v->gradient.values) any = any || g != 0;
    if (any) Textbook::take_step(o);
  }
};

AMPCHECK_MUTANT(ZerosNotStepped, "zeros-not-stepped", "skipping",
                "takes no step where all gradients are zero, though momentum goes on");

}  // namespace
}  // namespace ampcheck::properties
