#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct GreaterForEqual : subject::Textbook {
  void update() override {
    ++scaler_.growth_interval;
    Textbook::update();
    --scaler_.growth_interval;
  }
};

AMPCHECK_MUTANT(GreaterForEqual, "greater-for-equal", "skipping", "grows after N + 1 clean steps");

}  // namespace
}  // namespace ampcheck::properties
