#include "properties/mutants/counts_parts.hpp"

namespace ampcheck::properties {
namespace {

struct WeightedMicroMeans : CountsParts {
  double micro_batch_weight(const subject::TokenWindow& window,
                            const subject::TokenMicroBatch& micro_batch) override {
    if (window.class_weights.format == nullptr)
      return Textbook::micro_batch_weight(window, micro_batch);
    std::size_t micro_batches = 0;
    for (const auto& rank : window.ranks) micro_batches += rank.size();
    const double count = count_of(window, {{micro_batch}});
    return count == 0 ? 0 : 1 / count / static_cast<double>(micro_batches);
  }
};

AMPCHECK_MUTANT(WeightedMicroMeans, "weighted-micro-means", "tokens",
                "with class weights the mean of the micro-batches' weighted means");

}  // namespace
}  // namespace ampcheck::properties
