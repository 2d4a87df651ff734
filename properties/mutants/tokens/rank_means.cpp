#include "properties/mutants/counts_parts.hpp"

namespace ampcheck::properties {
namespace {

struct RankMeans : CountsParts {
  double micro_batch_weight(const subject::TokenWindow& window,
                            const subject::TokenMicroBatch& micro_batch) override {
    for (const auto& rank : window.ranks)
      for (const subject::TokenMicroBatch& other : rank) {
        if (&other != &micro_batch) continue;
        const double count = count_of(window, {rank});
        return count == 0 ? 0 : 1 / count / static_cast<double>(window.ranks.size());
      }
    return 0;
  }
};

AMPCHECK_MUTANT(RankMeans, "rank-means", "tokens", "the mean of the ranks' means");

}  // namespace
}  // namespace ampcheck::properties
