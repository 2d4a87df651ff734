#include "properties/controls/hysteresis.hpp"

namespace ampcheck::properties {
namespace {

struct HysteresisOfThree : Hysteresis {
  HysteresisOfThree() : Hysteresis(3) {}
};

AMPCHECK_CONTROL(HysteresisOfThree, "hysteresis-of-three",
                 "two overflows only skip before the scale backs off",
                 (PolicyChanges{{"hysteresis", word("3")}}));

}  // namespace
}  // namespace ampcheck::properties
