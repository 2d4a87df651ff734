#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ApexScale : subject::Textbook {
  void back_off() override {
    scaler_.scale = std::max(static_cast<float>(scaler_.scale * scaler_.backoff_factor), 0x1p-100f);
  }
  void grow() override {
    scaler_.scale = std::min(static_cast<float>(scaler_.scale * scaler_.growth_factor), 0x1p24f);
  }
};

AMPCHECK_CONTROL(ApexScale, "apex-scale",
                 "min and max hold the scale: one that starts outside is moved inside",
                 (PolicyChanges{{"floor", number(0x1p-100)}, {"ceiling", number(0x1p24)}}));

}  // namespace
}  // namespace ampcheck::properties
