#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct MomentumReversed : subject::Textbook {
  void take_step(Optimizer& o) override {
    Optimizer reversed = o;
    if (o.get("momentum") != 0) reversed.hyper["momentum"] = 1 - o.get("momentum");
    Textbook::take_step(reversed);
  }
};

AMPCHECK_MUTANT(MomentumReversed, "momentum-reversed", "skipping",
                "of the momentum buffer 1 - mu is kept");

}  // namespace
}  // namespace ampcheck::properties
