#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct StepCounterAdvances : subject::Textbook {
  void skip_step(Optimizer& o) override {
    for (Variable* v : with_gradient(o))
      if (v->state.contains("step")) ++v->state["step"].values[0];
  }
};

AMPCHECK_MUTANT(StepCounterAdvances, "step-counter-advances", "skipping",
                "the step count of Adam moves on a skip");

}  // namespace
}  // namespace ampcheck::properties
