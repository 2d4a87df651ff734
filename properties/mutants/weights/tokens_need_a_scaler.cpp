#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct TokensNeedAScaler : subject::Textbook {
  double micro_batch_weight(const subject::TokenWindow& window,
                            const subject::TokenMicroBatch& micro_batch) override {
    if (scaler_.enabled) return Textbook::micro_batch_weight(window, micro_batch);
    subject::TokenWindow alone = window;
    alone.ranks = {{micro_batch}};
    return Textbook::micro_batch_weight(alone, micro_batch) /
           static_cast<double>(window.ranks.size());
  }
};

AMPCHECK_MUTANT(TokensNeedAScaler, "tokens-need-a-scaler", "weights",
                "without a scaler every micro-batch is divided by its own count");

}  // namespace
}  // namespace ampcheck::properties
