#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct FirstRankCount : subject::Textbook {
  double window_count(const subject::TokenWindow& window) override {
    subject::TokenWindow first = window;
    first.ranks.resize(1);
    return Textbook::window_count(first) * static_cast<double>(window.ranks.size());
  }
};

AMPCHECK_MUTANT(FirstRankCount, "first-rank-count", "tokens",
                "the count of the first rank stands for all");

}  // namespace
}  // namespace ampcheck::properties
