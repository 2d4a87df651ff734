#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct PaddleScale : subject::Textbook {
  void update() override {
    if (!overflow_) bad_in_a_row_ = 0;
    Textbook::update();
  }
  void back_off() override {
    if (++bad_in_a_row_ < 2) return;
    bad_in_a_row_ = 0;
    Textbook::back_off();
  }
  int bad_in_a_row_ = 0;
};

AMPCHECK_CONTROL(PaddleScale, "paddle-scale", "every second of overflows in a row backs off",
                 (PolicyChanges{{"hysteresis", word("2")},
                                {"hysteresis_refill", word("clean_step_and_back_off")}}));

}  // namespace
}  // namespace ampcheck::properties
