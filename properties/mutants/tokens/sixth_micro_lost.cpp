#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct SixthMicroLost : subject::Textbook {
  void token_window(const subject::TokenWindow& window) override {
    subject::TokenWindow cut = window;
    for (auto& rank : cut.ranks)
      if (rank.size() > 5) rank.resize(5);
    Textbook::token_window(cut);
  }
};

AMPCHECK_MUTANT(SixthMicroLost, "sixth-micro-lost", "tokens",
                "there is room for five micro-batches of tokens; more are lost");

}  // namespace
}  // namespace ampcheck::properties
