#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct CountsUnshiftedLabels : subject::Textbook {
  double window_count(const subject::TokenWindow& window) override {
    subject::TokenWindow still = window;
    still.shift = 0;
    return Textbook::window_count(still);
  }
};

AMPCHECK_MUTANT(CountsUnshiftedLabels, "counts-unshifted-labels", "tokens",
                "the count is that of the labels before they are shifted");

}  // namespace
}  // namespace ampcheck::properties
