#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct StepsTwice : subject::Textbook {
  void refuse_second_step(const Optimizer&) override {}
};

AMPCHECK_MUTANT(StepsTwice, "steps-twice", "skipping", "a second step in a window is taken");

}  // namespace
}  // namespace ampcheck::properties
