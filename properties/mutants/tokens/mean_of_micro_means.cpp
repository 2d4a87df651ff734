#include "properties/mutants/counts_parts.hpp"

namespace ampcheck::properties {
namespace {

struct MeanOfMicroMeans : CountsParts {
  double micro_batch_weight(const subject::TokenWindow& window,
                            const subject::TokenMicroBatch& micro_batch) override {
    std::size_t micro_batches = 0;
    for (const auto& rank : window.ranks) micro_batches += rank.size();
    const double count = count_of(window, {{micro_batch}});
    return count == 0 ? 0 : 1 / count / static_cast<double>(micro_batches);
  }
};

AMPCHECK_MUTANT(MeanOfMicroMeans, "mean-of-micro-means", "tokens",
                "the mean of the micro-batches' means");

}  // namespace
}  // namespace ampcheck::properties
