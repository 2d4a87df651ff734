#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct HysteresisOneTooMany : subject::Textbook {
  void update() override {
    if (!overflow_) hysteresis_ = 2;
    Textbook::update();
  }
  void back_off() override {
    if (--hysteresis_ < 0) Textbook::back_off();
  }
  int hysteresis_ = 2;
};

AMPCHECK_MUTANT(HysteresisOneTooMany, "hysteresis-one-too-many", "skipping",
                "hysteresis 2 absorbs two overflows",
                (PolicyChanges{{"hysteresis", word("2")},
                               {"hysteresis_refill", word("clean_step")}}));

}  // namespace
}  // namespace ampcheck::properties
