#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct OddRankLeftOut : subject::Textbook {
  double micro_batch_weight(const subject::TokenWindow& window,
                            const subject::TokenMicroBatch& micro_batch) override {
    const bool is_odd = window.ranks.size() > 1 && window.ranks.size() % 2 == 1;
    for (const subject::TokenMicroBatch& last : window.ranks.back())
      if (is_odd && &last == &micro_batch) return 0;
    return Textbook::micro_batch_weight(window, micro_batch);
  }
};

AMPCHECK_MUTANT(OddRankLeftOut, "odd-rank-left-out", "tokens",
                "ranks are added in pairs, and an odd one has none");

}  // namespace
}  // namespace ampcheck::properties
