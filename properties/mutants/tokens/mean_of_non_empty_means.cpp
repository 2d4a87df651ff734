#include "properties/mutants/counts_parts.hpp"

namespace ampcheck::properties {
namespace {

struct MeanOfNonEmptyMeans : CountsParts {
  double micro_batch_weight(const subject::TokenWindow& window,
                            const subject::TokenMicroBatch& micro_batch) override {
    int non_empty = 0;
    for (const auto& rank : window.ranks)
      for (const subject::TokenMicroBatch& other : rank)
        non_empty += count_of(window, {{other}}) != 0 ? 1 : 0;
    const double count = count_of(window, {{micro_batch}});
    return count == 0 ? 0 : 1 / count / non_empty;
  }
};

AMPCHECK_MUTANT(MeanOfNonEmptyMeans, "mean-of-non-empty-means", "tokens",
                "the mean of the means of micro-batches that have tokens");

}  // namespace
}  // namespace ampcheck::properties
