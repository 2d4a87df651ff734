#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct HysteresisRefilledTooSoon : subject::Textbook {
  void update() override {
    if (!overflow_) hysteresis_ = 2;
    Textbook::update();
  }
  void back_off() override {
    if (--hysteresis_ <= 0) Textbook::back_off();
  }
  int hysteresis_ = 2;
};

AMPCHECK_MUTANT(HysteresisRefilledTooSoon, "hysteresis-refilled-too-soon", "skipping",
                "hysteresis that growth should refill is refilled by every clean step",
                (PolicyChanges{{"hysteresis", word("2")}}));

}  // namespace
}  // namespace ampcheck::properties
