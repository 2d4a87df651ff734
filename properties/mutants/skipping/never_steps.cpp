#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct NeverSteps : subject::Textbook {
  void take_step(Optimizer&) override {}
};

AMPCHECK_MUTANT(NeverSteps, "never-steps", "skipping",
                "says that a step was taken, and takes none");

}  // namespace
}  // namespace ampcheck::properties
