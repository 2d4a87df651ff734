#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct RaisesAboveTheFloor : subject::Textbook {
  void back_off() override {
    const double next = static_cast<float>(scaler_.scale * scaler_.backoff_factor);
    if (next <= 1) throw subject::Raised("the loss scale would reach its minimum");
    scaler_.scale = next;
  }
};

AMPCHECK_MUTANT(RaisesAboveTheFloor, "raises-above-the-floor", "skipping",
                "raises before the scale is at its floor",
                (PolicyChanges{{"floor", number(1)}, {"at_floor", word("raise")}}));

}  // namespace
}  // namespace ampcheck::properties
