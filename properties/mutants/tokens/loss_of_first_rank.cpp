#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct LossOfFirstRank : subject::Textbook {
  double token_loss(const subject::TokenWindow& window, std::size_t rank) override {
    subject::TokenWindow first = window;
    first.ranks.resize(1);
    return Textbook::token_loss(first, rank);
  }
};

AMPCHECK_MUTANT(LossOfFirstRank, "loss-of-first-rank", "tokens",
                "the loss of the first rank stands for all");

}  // namespace
}  // namespace ampcheck::properties
