#include "properties/mutants/counts_parts.hpp"

namespace ampcheck::properties {
namespace {

struct MicroMeansSummed : CountsParts {
  double micro_batch_weight(const subject::TokenWindow& window,
                            const subject::TokenMicroBatch& micro_batch) override {
    const double count = count_of(window, {{micro_batch}});
    return count == 0 ? 0 : 1 / count;
  }
};

AMPCHECK_MUTANT(MicroMeansSummed, "micro-means-summed", "tokens",
                "the means of the micro-batches are summed");

}  // namespace
}  // namespace ampcheck::properties
