#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct FirstSkipPoisonsMomentum : subject::Textbook {
  void skip_step(Optimizer& o) override {
    if (o.kind != subject::OptimizerKind::sgd || o.get("momentum") == 0) return;
    for (Variable* v : with_gradient(o)) state(*v, "momentum_buffer");
  }
};

AMPCHECK_MUTANT(FirstSkipPoisonsMomentum, "first-skip-poisons-momentum", "skipping",
                "a skipped first step leaves a momentum buffer of zeros");

}  // namespace
}  // namespace ampcheck::properties
