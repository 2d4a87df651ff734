#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

// sum of (sum so far + own) over the ranks: what was reduced comes again from every rank.
struct ReducedSumsReduced : subject::Textbook {
  double micro_batch_weight(const subject::TokenWindow& window,
                            const subject::TokenMicroBatch& micro_batch) override {
    double weight = Textbook::micro_batch_weight(window, micro_batch);
    for (const auto& rank : window.ranks)
      for (const subject::TokenMicroBatch& later : rank)
        if (&micro_batch >= &rank.front() && &micro_batch < &later &&
            window.reducer == subject::Reducer::sum)
          weight *= static_cast<double>(window.ranks.size());
    return weight;
  }
};

AMPCHECK_MUTANT(ReducedSumsReduced, "reduced-sums-reduced", "accumulation",
                "sums that were added up over the ranks are so again with every micro-batch");

}  // namespace
}  // namespace ampcheck::properties
