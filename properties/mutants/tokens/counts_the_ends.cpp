#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct CountsTheEnds : subject::Textbook {
  double window_count(const subject::TokenWindow& window) override {
    double ends = 0;
    for (const auto& rank : window.ranks)
      for (const subject::TokenMicroBatch& micro_batch : rank)
        if (window.shift == 1) ends += static_cast<double>(micro_batch.rows);
    return Textbook::window_count(window) + ends;
  }
};

AMPCHECK_MUTANT(CountsTheEnds, "counts-the-ends", "tokens",
                "the count has the ends of the texts, too");

}  // namespace
}  // namespace ampcheck::properties
