#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct FlagLostAfterUnscale : subject::Textbook {
  bool step(Optimizer& o) override {
    if (o.unscaled) o.found_non_finite = false;
    return Textbook::step(o);
  }
};

AMPCHECK_MUTANT(FlagLostAfterUnscale, "flag-lost-after-unscale", "skipping",
                "an explicit unscale loses what it found");

}  // namespace
}  // namespace ampcheck::properties
