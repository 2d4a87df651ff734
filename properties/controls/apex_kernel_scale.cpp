#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ApexKernelScale : subject::Textbook {
  void update() override {
    if (!overflow_) hysteresis_ = 2;
    Textbook::update();
  }
  void back_off() override {
    if (--hysteresis_ <= 0) Textbook::back_off();
  }
  int hysteresis_ = 2;
};

AMPCHECK_CONTROL(ApexKernelScale, "apex-kernel-scale",
                 "the first overflow after a clean step only skips",
                 (PolicyChanges{{"hysteresis", word("2")},
                                {"hysteresis_refill", word("clean_step")}}));

}  // namespace
}  // namespace ampcheck::properties
