#include "properties/mutants/counts_parts.hpp"

namespace ampcheck::properties {
namespace {

struct WeightedRankMeans : CountsParts {
  double micro_batch_weight(const subject::TokenWindow& window,
                            const subject::TokenMicroBatch& micro_batch) override {
    if (window.class_weights.format == nullptr)
      return Textbook::micro_batch_weight(window, micro_batch);
    for (const auto& rank : window.ranks)
      for (const subject::TokenMicroBatch& other : rank) {
        const double count = count_of(window, {rank});
        if (&other == &micro_batch)
          return count == 0 ? 0 : 1 / count / static_cast<double>(window.ranks.size());
      }
    return 0;
  }
};

AMPCHECK_MUTANT(WeightedRankMeans, "weighted-rank-means", "tokens",
                "with class weights every rank divides by its own, and the ranks are averaged");

}  // namespace
}  // namespace ampcheck::properties
