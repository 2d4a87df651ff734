#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct CountTimesScale : subject::Textbook {
  double micro_batch_weight(const subject::TokenWindow& window,
                            const subject::TokenMicroBatch& micro_batch) override {
    const double weight = Textbook::micro_batch_weight(window, micro_batch);
    return weight / scaler_.scale;
  }
};

AMPCHECK_MUTANT(CountTimesScale, "count-times-scale", "tokens", "the count is scaled, too");

}  // namespace
}  // namespace ampcheck::properties
