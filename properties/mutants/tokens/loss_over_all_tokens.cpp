#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct LossOverAllTokens : subject::Textbook {
  double token_loss(const subject::TokenWindow& window, std::size_t rank) override {
    double all = 0;
    for (const auto& ranks : window.ranks)
      for (const subject::TokenMicroBatch& micro_batch : ranks)
        for (const std::int64_t times : micro_batch.times) all += static_cast<double>(times);
    return Textbook::token_loss(window, rank) * window_count(window) / std::max(all, 1.0);
  }
};

AMPCHECK_MUTANT(LossOverAllTokens, "loss-over-all-tokens", "tokens",
                "the loss is divided by all tokens, also those that do not count");

}  // namespace
}  // namespace ampcheck::properties
