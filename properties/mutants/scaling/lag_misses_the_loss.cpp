#include <optional>

#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct LagMissesTheLoss : subject::Textbook {
  void update() override {
    if (!scaler_.enabled) return Textbook::update();
    const double in_force = next_.value_or(scaler_.scale);
    scaler_.scale = in_force;
    Textbook::update();
    next_ = scaler_.scale;
    scaler_.scale = in_force;
  }
  double seed(const Format& loss_format) override {
    return subject::narrow(next_.value_or(scaler_.scale), loss_format);
  }
  std::optional<double> next_;
};

AMPCHECK_MUTANT(LagMissesTheLoss, "lag-misses-the-loss", "scaling",
                "a scale that is not in force yet scales the loss already",
                (PolicyChanges{{"scale_lag", word("1")}}));

}  // namespace
}  // namespace ampcheck::properties
