#include <optional>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct LagOfTheRule : subject::Textbook {
  void update() override {
    if (!scaler_.enabled) return Textbook::update();
    const double in_force = next_.value_or(scaler_.scale);
    Textbook::update();  // moves the scale of the window that ends, not the one it made last
    next_ = scaler_.scale;
    scaler_.scale = in_force;
  }
  std::optional<double> next_;
};

AMPCHECK_MUTANT(LagOfTheRule, "lag-of-the-rule", "skipping",
                "with a lag, back-off and growth start from the scale before the last update",
                (PolicyChanges{{"scale_lag", word("1")}}));

}  // namespace
}  // namespace ampcheck::properties
