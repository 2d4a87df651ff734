#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct CountsSkips : subject::Textbook {
  void update() override {
    const std::int64_t before = scaler_.clean_steps;
    const bool skipped = overflow_ && scaler_.enabled;
    Textbook::update();
    if (!skipped) return;
    scaler_.clean_steps = before + 1;
    if (scaler_.clean_steps < scaler_.growth_interval) return;
    grow();
    scaler_.clean_steps = 0;
  }
};

AMPCHECK_MUTANT(CountsSkips, "counts-skips", "skipping", "skipped steps count as clean ones");

}  // namespace
}  // namespace ampcheck::properties
