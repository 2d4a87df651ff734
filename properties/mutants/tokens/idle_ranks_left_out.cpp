#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct IdleRanksLeftOut : subject::Textbook {
  void token_window(const subject::TokenWindow& window) override {
    Textbook::token_window(window);
    double active = 0;
    for (const auto& rank : window.ranks) {
      subject::TokenWindow alone = window;
      alone.ranks = {rank};
      active += window_count(alone) > 0 ? 1 : 0;
    }
    if (window.reducer == subject::Reducer::mean && active > 0)
      for (double& g : variable(window.parameter).gradient.values)
        g *= static_cast<double>(window.ranks.size()) / active;
  }
};

AMPCHECK_MUTANT(IdleRanksLeftOut, "idle-ranks-left-out", "tokens",
                "averages over the ranks that have counted tokens");

}  // namespace
}  // namespace ampcheck::properties
