#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct UpdateBeforeUnscale : subject::Textbook {
  void divide_gradients(Optimizer& o) override {
    const double before = scaler_.scale;
    if (scaler_.clean_steps + 1 == scaler_.growth_interval) grow();
    Textbook::divide_gradients(o);
    scaler_.scale = before;  // the update comes to the same value
  }
};

AMPCHECK_MUTANT(UpdateBeforeUnscale, "update-before-unscale", "scaling",
                "the scale is updated first, and gradients are divided by the new one");

}  // namespace
}  // namespace ampcheck::properties
