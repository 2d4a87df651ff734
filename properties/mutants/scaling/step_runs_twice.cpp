#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct StepRunsTwice : subject::Textbook {
  void take_step(Optimizer& o) override {
    Textbook::take_step(o);
    Textbook::take_step(o);
  }
};

AMPCHECK_MUTANT(StepRunsTwice, "step-runs-twice", "scaling", "the optimizer steps twice");

}  // namespace
}  // namespace ampcheck::properties
