#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct LossNeverDivided : subject::Textbook {
  double token_loss(const subject::TokenWindow& window, std::size_t rank) override {
    return Textbook::token_loss(window, rank) * window_count(window);
  }
};

AMPCHECK_MUTANT(LossNeverDivided, "loss-never-divided", "tokens", "the sum of the losses is told");

}  // namespace
}  // namespace ampcheck::properties
