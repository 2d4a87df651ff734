#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct BatchOfTheFirstWindow : subject::Textbook {
  double window_count(const subject::TokenWindow& window) override {
    if (batch_ == 0) batch_ = Textbook::window_count(window);
    return batch_;
  }
  double batch_ = 0;
};

AMPCHECK_MUTANT(BatchOfTheFirstWindow, "batch-of-the-first-window", "accumulation",
                "the effective batch is counted in the first window and kept");

}  // namespace
}  // namespace ampcheck::properties
