#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct AbsorbedKeepsCount : subject::Textbook {
  void update() override {
    const std::int64_t count = scaler_.clean_steps;
    const bool absorbs = overflow_ && hysteresis_ > 1;
    if (!overflow_) hysteresis_ = 2;
    Textbook::update();
    if (absorbs) scaler_.clean_steps = count;
  }
  void back_off() override {
    if (--hysteresis_ <= 0) Textbook::back_off();
  }
  int hysteresis_ = 2;
};

AMPCHECK_MUTANT(AbsorbedKeepsCount, "absorbed-keeps-count", "skipping",
                "an absorbed overflow does not restart the count of clean steps",
                (PolicyChanges{{"hysteresis", word("2")},
                               {"hysteresis_refill", word("clean_step")}}));

}  // namespace
}  // namespace ampcheck::properties
