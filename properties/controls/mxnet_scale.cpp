#include <optional>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct MxnetScale : subject::Textbook {
  void update() override {
    if (!scaler_.enabled) return Textbook::update();
    const double in_force = next_.value_or(scaler_.scale);
    scaler_.scale = in_force;
    Textbook::update();
    next_ = scaler_.scale;
    scaler_.scale = in_force;
  }
  std::optional<double> next_;
};

AMPCHECK_CONTROL(MxnetScale, "mxnet-scale", "a new scale is in force one update later",
                 (PolicyChanges{{"scale_lag", word("1")}}));

}  // namespace
}  // namespace ampcheck::properties
