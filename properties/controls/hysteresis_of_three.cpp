#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct HysteresisOfThree : subject::Textbook {
  void back_off() override {
    if (left_ > 1)
      --left_;
    else
      Textbook::back_off();
  }
  void grow() override {
    left_ = 3;
    Textbook::grow();
  }
  int left_ = 3;
};

AMPCHECK_CONTROL(HysteresisOfThree, "hysteresis-of-three",
                 "two overflows only skip before the scale backs off",
                 (PolicyChanges{{"hysteresis", word("3")}}));

}  // namespace
}  // namespace ampcheck::properties
