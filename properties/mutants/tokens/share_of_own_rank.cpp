#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ShareOfOwnRank : subject::Textbook {
  double token_loss(const subject::TokenWindow& window, std::size_t rank) override {
    subject::TokenWindow own = window;
    own.ranks = {window.ranks[rank]};
    const double count = window_count(window);
    return count == 0 ? 0 : Textbook::token_loss(own, rank) * window_count(own) / count;
  }
};

AMPCHECK_MUTANT(ShareOfOwnRank, "share-of-own-rank", "tokens",
                "every rank tells its share of the loss: the ranks never add them up");

}  // namespace
}  // namespace ampcheck::properties
