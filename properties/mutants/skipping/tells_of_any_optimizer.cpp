#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct TellsOfAnyOptimizer : subject::Textbook {
  std::optional<bool> shown_found_non_finite(const Optimizer& o) override {
    return o.found_non_finite || overflow_;
  }
};

AMPCHECK_MUTANT(TellsOfAnyOptimizer, "tells-of-any-optimizer", "skipping",
                "what was found in one optimizer is told of those after it");

}  // namespace
}  // namespace ampcheck::properties
