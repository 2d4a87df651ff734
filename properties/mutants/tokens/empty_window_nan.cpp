#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct EmptyWindowNan : subject::Textbook {
  void token_window(const subject::TokenWindow& window) override {
    Textbook::token_window(window);
    for (double& g : variable(window.parameter).gradient.values) g += 0 / window_count(window);
  }
};

AMPCHECK_MUTANT(EmptyWindowNan, "empty-window-nan", "tokens",
                "a window without counted tokens is divided by zero");

}  // namespace
}  // namespace ampcheck::properties
