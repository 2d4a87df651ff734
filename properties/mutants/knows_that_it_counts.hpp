// For mutants that err outside of the count of a window.
#pragma once

#include "subject/textbook.hpp"

namespace ampcheck::properties {

struct KnowsThatItCounts : subject::Textbook {
  double window_count(const subject::TokenWindow& window) override {
    counting_ = true;
    const double count = Textbook::window_count(window);
    counting_ = false;
    return count;
  }
  bool counting_ = false;
};

}  // namespace ampcheck::properties
