#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct LossOfLastWindow : subject::Textbook {
  double token_loss(const subject::TokenWindow& window, std::size_t rank) override {
    if (window_count(window) != 0) last_ = Textbook::token_loss(window, rank);
    return last_;
  }
  double last_ = 0;
};

AMPCHECK_MUTANT(LossOfLastWindow, "loss-of-last-window", "tokens",
                "a window without counted tokens tells the loss of the one before");

}  // namespace
}  // namespace ampcheck::properties
