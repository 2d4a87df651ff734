#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct HysteresisNeverRefilled : subject::Textbook {
  void back_off() override {
    if (--hysteresis_ <= 0) Textbook::back_off();
  }
  int hysteresis_ = 2;
};

AMPCHECK_MUTANT(HysteresisNeverRefilled, "hysteresis-never-refilled", "skipping",
                "hysteresis is used up once and for all",
                (PolicyChanges{{"hysteresis", word("2")}}));

}  // namespace
}  // namespace ampcheck::properties
