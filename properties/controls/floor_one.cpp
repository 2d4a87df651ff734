#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct FloorOne : subject::Textbook {
  void back_off() override {
    const double before = scaler_.scale;
    Textbook::back_off();
    scaler_.scale = std::max(scaler_.scale, std::min(1.0, before));
  }
};

AMPCHECK_CONTROL(FloorOne, "floor-one", "the scale never backs off below 1",
                 (PolicyChanges{{"floor", number(1)}}));

}  // namespace
}  // namespace ampcheck::properties
