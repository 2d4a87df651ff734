#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct LagOfTwo : subject::Textbook {
  void update() override {
    if (!scaler_.enabled) return Textbook::update();
    if (scales_.empty()) scales_ = {scaler_.scale, scaler_.scale};
    scaler_.scale = scales_.back();
    Textbook::update();
    scales_.push_back(scaler_.scale);
    scaler_.scale = scales_[scales_.size() - 3];
  }
  std::vector<double> scales_;
};

AMPCHECK_MUTANT(LagOfTwo, "lag-of-two", "skipping",
                "a new scale is in force two updates later, not one",
                (PolicyChanges{{"scale_lag", word("1")}}));

}  // namespace
}  // namespace ampcheck::properties
