#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct LossOverFirstScale : subject::Textbook {
  double token_loss(const subject::TokenWindow& window, std::size_t rank) override {
    return Textbook::token_loss(window, rank) * scaler_.scale / first_;
  }
  void token_window(const subject::TokenWindow& window) override {
    if (first_ == 0) first_ = scaler_.scale;
    Textbook::token_window(window);
  }
  double first_ = 0;
};

AMPCHECK_MUTANT(LossOverFirstScale, "loss-over-first-scale", "tokens",
                "the scaled loss is told, divided by the scale that the training began with");

}  // namespace
}  // namespace ampcheck::properties
