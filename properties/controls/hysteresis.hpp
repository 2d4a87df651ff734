// Overflows that only skip: the scale backs off once so many have come since it grew.
#pragma once

#include "properties/built_in.hpp"

namespace ampcheck::properties {

struct Hysteresis : subject::Textbook {
  explicit Hysteresis(int full) : full_(full), left_(full) {}

  void back_off() override {
    if (left_ > 1)
      --left_;
    else
      Textbook::back_off();
  }
  void grow() override {
    left_ = full_;
    Textbook::grow();
  }

 private:
  int full_, left_;
};

}  // namespace ampcheck::properties
