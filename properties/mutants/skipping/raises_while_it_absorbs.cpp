#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct RaisesWhileItAbsorbs : subject::Textbook {
  void back_off() override {
    if (scaler_.scale == 1) throw subject::Raised("the loss scale is at its minimum already");
    if (--hysteresis_ > 0) return;
    scaler_.scale = std::max(static_cast<float>(scaler_.scale * scaler_.backoff_factor), 1.0f);
  }
  void grow() override {
    hysteresis_ = 2;
    Textbook::grow();
  }
  int hysteresis_ = 2;
};

AMPCHECK_MUTANT(RaisesWhileItAbsorbs, "raises-while-it-absorbs", "skipping",
                "raises at the floor although hysteresis is left",
                (PolicyChanges{
                    {"hysteresis", word("2")}, {"floor", number(1)}, {"at_floor", word("raise")}}));

}  // namespace
}  // namespace ampcheck::properties
