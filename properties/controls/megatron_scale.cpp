#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct MegatronScale : subject::Textbook {
  void back_off() override {
    if (--hysteresis_ > 0) return;
    scaler_.scale = std::max(static_cast<float>(scaler_.scale * scaler_.backoff_factor), 1.0f);
  }
  void grow() override {
    hysteresis_ = 2;
    Textbook::grow();
  }
  int hysteresis_ = 2;
};

AMPCHECK_CONTROL(MegatronScale, "megatron-scale",
                 "the first overflow after a growth only skips; never below 1",
                 (PolicyChanges{{"hysteresis", word("2")}, {"floor", number(1)}}));

}  // namespace
}  // namespace ampcheck::properties
