#include <utility>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct StepForgetsWhatWasFound : subject::Textbook {
  bool step(Optimizer& o) override {
    stepping_ = true;
    return Textbook::step(o);
  }
  std::optional<bool> shown_found_non_finite(const Optimizer& o) override {
    return o.found_non_finite && !std::exchange(stepping_, false);
  }
  bool stepping_ = false;
};

AMPCHECK_MUTANT(StepForgetsWhatWasFound, "step-forgets-what-was-found", "skipping",
                "after the step nothing is said to have been found");

}  // namespace
}  // namespace ampcheck::properties
