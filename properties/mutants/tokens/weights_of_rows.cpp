#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct WeightsOfRows : subject::Textbook {
  double window_count(const subject::TokenWindow& window) override {
    if (window.class_weights.format == nullptr) return Textbook::window_count(window);
    subject::TokenWindow once = window;
    for (auto& rank : once.ranks)
      for (subject::TokenMicroBatch& micro_batch : rank)
        for (std::int64_t& times : micro_batch.times) times = 1;
    return Textbook::window_count(once);
  }
};

AMPCHECK_MUTANT(WeightsOfRows, "weights-of-rows", "tokens",
                "equal tokens add the weight of their class once to the divisor");

}  // namespace
}  // namespace ampcheck::properties
