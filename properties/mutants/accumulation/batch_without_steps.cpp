#include "properties/mutants/counts_parts.hpp"

namespace ampcheck::properties {
namespace {

struct BatchWithoutSteps : CountsParts {
  double window_count(const subject::TokenWindow& window) override {
    auto ranks = window.ranks;
    for (auto& rank : ranks) rank.resize(rank.empty() ? 0 : 1);
    return count_of(window, std::move(ranks));
  }
};

AMPCHECK_MUTANT(BatchWithoutSteps, "batch-without-steps", "accumulation",
                "the effective batch is micro-batch times ranks");

}  // namespace
}  // namespace ampcheck::properties
