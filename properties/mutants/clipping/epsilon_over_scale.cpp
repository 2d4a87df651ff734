#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct EpsilonOverScale : subject::Textbook {
  double clip_factor(double norm, double limit) override {
    return Textbook::clip_factor(norm + 1e-6 / scaler_.scale, limit);
  }
};

AMPCHECK_MUTANT(EpsilonOverScale, "epsilon-over-scale", "clipping",
                "the epsilon of a clip is added to the norm of scaled gradients",
                {"clip_epsilon", number(1e-6)});

}  // namespace
}  // namespace ampcheck::properties
