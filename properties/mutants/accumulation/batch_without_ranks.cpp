#include "properties/mutants/counts_parts.hpp"

namespace ampcheck::properties {
namespace {

struct BatchWithoutRanks : CountsParts {
  double window_count(const subject::TokenWindow& window) override {
    return count_of(window, {window.ranks.front()});
  }
};

AMPCHECK_MUTANT(BatchWithoutRanks, "batch-without-ranks", "accumulation",
                "the effective batch is micro-batch times steps");

}  // namespace
}  // namespace ampcheck::properties
