#include "properties/controls/hysteresis.hpp"

namespace ampcheck::properties {
namespace {

struct HysteresisOfFour : Hysteresis {
  HysteresisOfFour() : Hysteresis(4) {}
};

AMPCHECK_CONTROL(HysteresisOfFour, "hysteresis-of-four",
                 "three overflows only skip before the scale backs off",
                 (PolicyChanges{{"hysteresis", word("4")}}));

}  // namespace
}  // namespace ampcheck::properties
