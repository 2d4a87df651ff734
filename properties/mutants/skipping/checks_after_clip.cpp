#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ChecksAfterClip : subject::Textbook {
  void unscale(Optimizer& o) override {
    if (scaler_.enabled && !o.unscaled) divide_gradients(o);
    o.unscaled = scaler_.enabled;
  }
  bool step(Optimizer& o) override {
    unscale(o);
    o.found_non_finite = scaler_.enabled && non_finite(with_gradient(o));
    return Textbook::step(o);
  }
};

AMPCHECK_MUTANT(ChecksAfterClip, "checks-after-clip", "skipping",
                "an inf is looked for when a clip has made it the limit");

}  // namespace
}  // namespace ampcheck::properties
