#include <utility>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct MicroMeansSummed : subject::Textbook {
  double micro_batch_weight(const subject::TokenWindow& window,
                            const subject::TokenMicroBatch& micro_batch) override {
    const double count = count_of(window, {{micro_batch}});
    return count == 0 ? 0 : 1 / count;
  }
  double count_of(const subject::TokenWindow& window,
                  std::vector<std::vector<subject::TokenMicroBatch>> ranks) {
    subject::TokenWindow part = window;
    part.ranks = std::move(ranks);
    return window_count(part);
  }
};

AMPCHECK_MUTANT(MicroMeansSummed, "micro-means-summed", "tokens",
                "the means of the micro-batches are summed");

}  // namespace
}  // namespace ampcheck::properties
