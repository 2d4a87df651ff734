#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct FloorOfOneUndeclared : subject::Textbook {
  void back_off() override {
    const double before = scaler_.scale;
    Textbook::back_off();
    scaler_.scale = std::max(scaler_.scale, std::min(before, 1.0));
  }
};

AMPCHECK_MUTANT(FloorOfOneUndeclared, "floor-of-one-undeclared", "skipping",
                "never backs off below 1, and does not say so");

}  // namespace
}  // namespace ampcheck::properties
