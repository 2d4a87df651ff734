#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct LossTimesScale : subject::Textbook {
  double token_loss(const subject::TokenWindow& window, std::size_t rank) override {
    return Textbook::token_loss(window, rank) * scaler_.scale;
  }
};

AMPCHECK_MUTANT(LossTimesScale, "loss-times-scale", "tokens",
                "the loss that is told is still scaled");

}  // namespace
}  // namespace ampcheck::properties
