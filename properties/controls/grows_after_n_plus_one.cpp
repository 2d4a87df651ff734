#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct GrowsAfterNPlusOne : subject::Textbook {
  void update() override {
    ++scaler_.growth_interval;
    Textbook::update();
    --scaler_.growth_interval;
  }
};

AMPCHECK_CONTROL(GrowsAfterNPlusOne, "grows-after-n-plus-one", "grows after N + 1 clean steps",
                 (PolicyChanges{{"growth_rule", word("n_plus_one")}}));

}  // namespace
}  // namespace ampcheck::properties
