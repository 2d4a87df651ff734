#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ScaleAtLeastOne : subject::Textbook {
  double micro_batch_weight(const subject::TokenWindow& window,
                            const subject::TokenMicroBatch& micro_batch) override {
    const double at_least_one = std::max(scaler_.scale, 1.0) / scaler_.scale;
    return Textbook::micro_batch_weight(window, micro_batch) * at_least_one;
  }
};

AMPCHECK_MUTANT(ScaleAtLeastOne, "scale-at-least-one", "tokens",
                "a loss of tokens is never scaled below 1");

}  // namespace
}  // namespace ampcheck::properties
