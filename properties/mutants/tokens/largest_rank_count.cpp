#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct LargestRankCount : subject::Textbook {
  double window_count(const subject::TokenWindow& window) override {
    double most = 0;
    for (const auto& rank : window.ranks) {
      subject::TokenWindow alone = window;
      alone.ranks = {rank};
      most = std::max(most, Textbook::window_count(alone));
    }
    return most;
  }
};

AMPCHECK_MUTANT(LargestRankCount, "largest-rank-count", "tokens",
                "divides by the count of the rank with the most tokens");

}  // namespace
}  // namespace ampcheck::properties
