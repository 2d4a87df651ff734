#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct GlobalSkip : subject::Textbook {
  bool step(Optimizer& o) override {
    for (auto& [name, other] : optimizers_) unscale(other);
    for (auto& [name, other] : optimizers_) o.found_non_finite |= other.found_non_finite;
    return Textbook::step(o);
  }
};

AMPCHECK_MUTANT(GlobalSkip, "global-skip", "skipping",
                "an inf of one optimizer skips the step of another");

}  // namespace
}  // namespace ampcheck::properties
