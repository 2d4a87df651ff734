#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct MissingTimesWorld : subject::Textbook {
  double micro_batch_weight(const subject::TokenWindow& window,
                            const subject::TokenMicroBatch& micro_batch) override {
    const double weight = Textbook::micro_batch_weight(window, micro_batch);
    const double world = static_cast<double>(window.ranks.size());
    return window.reducer == subject::Reducer::mean ? weight / world : weight;
  }
};

AMPCHECK_MUTANT(MissingTimesWorld, "missing-times-world", "tokens",
                "averaging over the ranks divides once more, and nothing undoes it");

}  // namespace
}  // namespace ampcheck::properties
