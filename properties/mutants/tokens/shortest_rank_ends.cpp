#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ShortestRankEnds : subject::Textbook {
  void token_window(const subject::TokenWindow& window) override {
    subject::TokenWindow cut = window;
    for (const auto& rank : window.ranks)
      for (auto& other : cut.ranks) other.resize(std::min(other.size(), rank.size()));
    Textbook::token_window(cut);
  }
};

AMPCHECK_MUTANT(ShortestRankEnds, "shortest-rank-ends", "tokens",
                "the window ends with the rank that has the fewest micro-batches");

}  // namespace
}  // namespace ampcheck::properties
