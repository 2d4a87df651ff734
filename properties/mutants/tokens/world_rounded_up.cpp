#include <bit>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct WorldRoundedUp : subject::Textbook {
  void token_window(const subject::TokenWindow& window) override {
    subject::TokenWindow padded = window;
    padded.ranks.resize(std::bit_ceil(window.ranks.size()));
    world_ = static_cast<double>(window.ranks.size()) / static_cast<double>(padded.ranks.size());
    Textbook::token_window(window.reducer == subject::Reducer::mean ? padded : window);
  }
  double micro_batch_weight(const subject::TokenWindow& window,
                            const subject::TokenMicroBatch& micro_batch) override {
    const double weight = Textbook::micro_batch_weight(window, micro_batch);
    return window.reducer == subject::Reducer::mean ? weight * world_ : weight;
  }
  double world_ = 1;
};

AMPCHECK_MUTANT(WorldRoundedUp, "world-rounded-up", "tokens",
                "an average over the ranks divides by the next power of two");

}  // namespace
}  // namespace ampcheck::properties
