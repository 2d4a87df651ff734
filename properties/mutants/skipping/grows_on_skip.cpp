#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct GrowsOnSkip : subject::Textbook {
  void back_off() override {
    if (scaler_.clean_steps + 1 == scaler_.growth_interval)
      grow();
    else
      Textbook::back_off();
  }
};

AMPCHECK_MUTANT(GrowsOnSkip, "grows-on-skip", "skipping",
                "grows where growth is due and the window overflows");

}  // namespace
}  // namespace ampcheck::properties
