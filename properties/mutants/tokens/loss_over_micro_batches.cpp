#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct LossOverMicroBatches : subject::Textbook {
  double token_loss(const subject::TokenWindow& window, std::size_t rank) override {
    return Textbook::token_loss(window, rank) / static_cast<double>(window.ranks.front().size());
  }
};

AMPCHECK_MUTANT(LossOverMicroBatches, "loss-over-micro-batches", "tokens",
                "the loss is divided by the micro-batches, too");

}  // namespace
}  // namespace ampcheck::properties
