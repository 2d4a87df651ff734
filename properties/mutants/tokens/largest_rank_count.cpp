#include <algorithm>

#include "properties/mutants/counts_parts.hpp"

namespace ampcheck::properties {
namespace {

struct LargestRankCount : CountsParts {
  double window_count(const subject::TokenWindow& window) override {
    double most = 0;
    for (const auto& rank : window.ranks) most = std::max(most, count_of(window, {rank}));
    return most;
  }
};

AMPCHECK_MUTANT(LargestRankCount, "largest-rank-count", "tokens",
                "divides by the count of the rank with the most tokens");

}  // namespace
}  // namespace ampcheck::properties
