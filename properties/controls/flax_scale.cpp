#include <algorithm>
#include <cmath>
#include <limits>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct FlaxScale : subject::Textbook {
  void update() override {
    if (!scaler_.enabled || overflow_) return Textbook::update();
    // The count is looked at before it is raised.
    const bool grows = scaler_.clean_steps == scaler_.growth_interval;
    const std::int64_t count = grows ? 0 : scaler_.clean_steps + 1;
    if (grows) grow();
    scaler_.enabled = false;  // the rest of an update only
    Textbook::update();
    scaler_.enabled = true;
    scaler_.clean_steps = count;
  }
  void back_off() override {
    scaler_.scale =
        std::max(static_cast<float>(scaler_.scale * scaler_.backoff_factor), kFloats::min());
  }
  void grow() override {
    scaler_.scale =
        static_cast<float>(std::min<double>(scaler_.scale * scaler_.growth_factor, kFloats::max()));
  }
  using kFloats = std::numeric_limits<float>;
};

AMPCHECK_CONTROL(FlaxScale, "flax-scale",
                 "grows after N + 1 clean steps, up to the largest number; never below the "
                 "smallest normal one",
                 (PolicyChanges{{"growth_rule", word("n_plus_one")},
                                {"growth_limit", word("clamp")}}));

}  // namespace
}  // namespace ampcheck::properties
