#include <algorithm>
#include <cmath>

#include "properties/controls/multiplies_always.hpp"

namespace ampcheck::properties {
namespace {

struct TorchClip : MultipliesAlways {
  double clip_factor(double norm, double limit) override {
    // Where torch clears the gradients.
    if (std::isinf(static_cast<float>(norm))) return limit / norm;
    const float reciprocal = 1 / (static_cast<float>(norm) + 1e-6f);
    return std::min(reciprocal * static_cast<float>(limit), 1.0f);
  }
};

AMPCHECK_CONTROL(
    TorchClip, "torch-clip",
    "(1/(norm + 1e-6))·limit, at most 1, and always multiplied; an overflow is clipped in binary64",
    (PolicyChanges{{"clip_formula", word("reciprocal_product")},
                   {"clip_epsilon", number(1e-6)},
                   {"unneeded_clip", word("multiplies")}}));

}  // namespace
}  // namespace ampcheck::properties
