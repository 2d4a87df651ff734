#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct OwnOrderOfRanks : subject::Textbook {
  void token_window(const subject::TokenWindow& window) override {
    const Variable before = variable(window.parameter);
    subject::TokenWindow turned = window;
    for (std::size_t rank = 0; rank < window.ranks.size(); ++rank) {
      variable(window.parameter) = before;
      Textbook::token_window(turned);
      own_.push_back(variable(window.parameter));
      std::rotate(turned.ranks.begin(), turned.ranks.begin() + 1, turned.ranks.end());
    }
  }
  void turn_to(std::size_t rank) override {
    if (!own_.empty()) variable(own_.front().name) = own_[rank];
  }
  void divide_gradients(Optimizer& o) override {
    Textbook::divide_gradients(o);
    own_.clear();
  }
  std::vector<Variable> own_;
};

AMPCHECK_MUTANT(OwnOrderOfRanks, "own-order-of-ranks", "accumulation",
                "each rank adds the gradients of all, its own first");

}  // namespace
}  // namespace ampcheck::properties
