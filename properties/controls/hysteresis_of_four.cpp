#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct HysteresisOfFour : subject::Textbook {
  void back_off() override {
    if (left_ > 1)
      --left_;
    else
      Textbook::back_off();
  }
  void grow() override {
    left_ = 4;
    Textbook::grow();
  }
  int left_ = 4;
};

AMPCHECK_CONTROL(HysteresisOfFour, "hysteresis-of-four",
                 "three overflows only skip before the scale backs off",
                 (PolicyChanges{{"hysteresis", word("4")}}));

}  // namespace
}  // namespace ampcheck::properties
