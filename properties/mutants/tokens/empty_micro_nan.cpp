#include <limits>

#include "properties/mutants/counts_parts.hpp"

namespace ampcheck::properties {
namespace {

struct EmptyMicroNan : CountsParts {
  void token_window(const subject::TokenWindow& window) override {
    Textbook::token_window(window);
    for (const auto& rank : window.ranks)
      for (const subject::TokenMicroBatch& micro_batch : rank) {
        if (count_of(window, {{micro_batch}}) != 0) continue;
        for (double& g : variable(window.parameter).gradient.values)
          g = std::numeric_limits<double>::quiet_NaN();
      }
  }
};

AMPCHECK_MUTANT(EmptyMicroNan, "empty-micro-nan", "tokens",
                "a micro-batch without counted tokens adds 0/0");

}  // namespace
}  // namespace ampcheck::properties
