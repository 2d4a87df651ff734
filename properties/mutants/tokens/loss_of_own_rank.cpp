#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct LossOfOwnRank : subject::Textbook {
  double token_loss(const subject::TokenWindow& window, std::size_t rank) override {
    subject::TokenWindow own = window;
    own.ranks = {window.ranks[rank]};
    return Textbook::token_loss(own, rank);
  }
};

AMPCHECK_MUTANT(LossOfOwnRank, "loss-of-own-rank", "tokens",
                "every rank tells the mean of its own tokens");

}  // namespace
}  // namespace ampcheck::properties
