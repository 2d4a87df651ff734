#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ClipBeforeUnscale : subject::Textbook {
  void unscale(Optimizer& o) override {
    for (Variable* v : with_gradient(o)) v->unit = subject::Unit::unscaled;
  }
  bool step(Optimizer& o) override {
    Textbook::unscale(o);
    return Textbook::step(o);
  }
};

AMPCHECK_MUTANT(ClipBeforeUnscale, "clip-before-unscale", "clipping",
                "clips scaled gradients with the unscaled limit, and unscales in the step");

}  // namespace
}  // namespace ampcheck::properties
