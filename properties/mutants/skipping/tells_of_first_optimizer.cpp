#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct TellsOfFirstOptimizer : subject::Textbook {
  std::optional<bool> shown_found_non_finite(const Optimizer&) override {
    return optimizers_.begin()->second.found_non_finite;
  }
};

AMPCHECK_MUTANT(TellsOfFirstOptimizer, "tells-of-first-optimizer", "skipping",
                "what was found in the first optimizer is told of all");

}  // namespace
}  // namespace ampcheck::properties
