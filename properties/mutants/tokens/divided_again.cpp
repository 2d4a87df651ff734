#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct DividedAgain : subject::Textbook {
  double micro_batch_weight(const subject::TokenWindow& window,
                            const subject::TokenMicroBatch& micro_batch) override {
    const double weight = Textbook::micro_batch_weight(window, micro_batch);
    std::size_t micro_batches = 0;
    for (const auto& rank : window.ranks) micro_batches = std::max(micro_batches, rank.size());
    return weight / static_cast<double>(micro_batches);
  }
};

AMPCHECK_MUTANT(DividedAgain, "divided-again", "tokens",
                "divides by the number of micro-batches, too");

}  // namespace
}  // namespace ampcheck::properties
