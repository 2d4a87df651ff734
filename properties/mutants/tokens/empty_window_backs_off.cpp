#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct EmptyWindowBacksOff : subject::Textbook {
  void token_window(const subject::TokenWindow& window) override {
    Textbook::token_window(window);
    overflow_ = overflow_ || window_count(window) == 0;
  }
};

AMPCHECK_MUTANT(EmptyWindowBacksOff, "empty-window-backs-off", "tokens",
                "a window without counted tokens is taken for an overflow");

}  // namespace
}  // namespace ampcheck::properties
