#include <algorithm>
#include <cmath>

#include "properties/controls/multiplies_always.hpp"

namespace ampcheck::properties {
namespace {

struct ClipWithEpsilon : MultipliesAlways {
  double clip_factor(double norm, double limit) override {
    // A norm beyond binary32 is one of binary64.
    if (std::isinf(f32(norm))) return limit / norm;
    return std::min(f32(limit / f32(norm + 1e-6)), 1.0);
  }
  static double f32(double x) { return static_cast<float>(x); }
};

AMPCHECK_CONTROL(ClipWithEpsilon, "clip-with-epsilon",
                 "adds 1e-6 to the norm, and multiplies by the factor even where it is 1",
                 (PolicyChanges{{"clip_epsilon", number(1e-6)},
                                {"unneeded_clip", word("multiplies")}}));

}  // namespace
}  // namespace ampcheck::properties
