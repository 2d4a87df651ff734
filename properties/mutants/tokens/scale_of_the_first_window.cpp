#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ScaleOfTheFirstWindow : subject::Textbook {
  double micro_batch_weight(const subject::TokenWindow& window,
                            const subject::TokenMicroBatch& micro_batch) override {
    if (first_ == 0) first_ = scaler_.scale;
    return Textbook::micro_batch_weight(window, micro_batch) * first_ / scaler_.scale;
  }
  double first_ = 0;
};

AMPCHECK_MUTANT(ScaleOfTheFirstWindow, "scale-of-the-first-window", "tokens",
                "the weight of a token keeps the scale of the first window");

}  // namespace
}  // namespace ampcheck::properties
