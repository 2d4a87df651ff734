#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct MomentumAbsorbs : subject::Textbook {
  void skip_step(Optimizer& o) override {
    for (Variable* v : with_gradient(o))
      if (v->state.contains("momentum_buffer"))
        for (double& b : v->state["momentum_buffer"].values) b *= o.get("momentum");
  }
};

AMPCHECK_MUTANT(MomentumAbsorbs, "momentum-absorbs", "skipping",
                "a skipped step still goes into the momentum");

}  // namespace
}  // namespace ampcheck::properties
