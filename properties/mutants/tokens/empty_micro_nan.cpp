#include <limits>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct EmptyMicroNan : subject::Textbook {
  void token_window(const subject::TokenWindow& window) override {
    Textbook::token_window(window);
    for (const auto& rank : window.ranks)
      for (const subject::TokenMicroBatch& micro_batch : rank) {
        subject::TokenWindow alone = window;
        alone.ranks = {{micro_batch}};
        if (window_count(alone) != 0) continue;
        for (double& g : variable(window.parameter).gradient.values)
          g = std::numeric_limits<double>::quiet_NaN();
      }
  }
};

AMPCHECK_MUTANT(EmptyMicroNan, "empty-micro-nan", "tokens",
                "a micro-batch without counted tokens adds 0/0");

}  // namespace
}  // namespace ampcheck::properties
