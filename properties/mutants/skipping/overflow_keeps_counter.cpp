#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct OverflowKeepsCounter : subject::Textbook {
  void update() override {
    const std::int64_t before = scaler_.clean_steps;
    const bool kept = overflow_;
    Textbook::update();
    if (kept) scaler_.clean_steps = before;
  }
};

AMPCHECK_MUTANT(OverflowKeepsCounter, "overflow-keeps-counter", "skipping",
                "an overflow does not restart the count of clean steps");

}  // namespace
}  // namespace ampcheck::properties
