#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct RefusesAfterUpdating : subject::Textbook {
  void refuse_idle_update() override {
    if (!checked_) update();
    Textbook::refuse_idle_update();
  }
};

AMPCHECK_MUTANT(RefusesAfterUpdating, "refuses-after-updating", "skipping",
                "refuses an update with nothing to judge, but has counted it");

}  // namespace
}  // namespace ampcheck::properties
