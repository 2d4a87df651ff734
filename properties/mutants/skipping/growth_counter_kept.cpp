#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct GrowthCounterKept : subject::Textbook {
  void update() override {
    const bool clean = scaler_.enabled && !overflow_;
    const std::int64_t count = scaler_.clean_steps + 1;
    if (clean) scaler_.clean_steps = std::min(scaler_.clean_steps, scaler_.growth_interval - 1);
    Textbook::update();
    if (clean) scaler_.clean_steps = count;
  }
};

AMPCHECK_MUTANT(GrowthCounterKept, "growth-counter-kept", "skipping",
                "growth does not reset the count, and the test is >=");

}  // namespace
}  // namespace ampcheck::properties
