#include <cmath>

#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct FusedStep : subject::Textbook {
  double moved(double p, double rate, double d, const Format& format) override {
    if (format.width == 64) return std::fma(-rate, d, p);
    const float wide =
        std::fma(-static_cast<float>(rate), static_cast<float>(d), static_cast<float>(p));
    return subject::narrow(wide, format);
  }
};

// Decay is a product and a sum, as in the textbook: the step as a whole is of either kind.
AMPCHECK_CONTROL(FusedStep, "fused-step", "the last line of a step is a fused multiply-add",
                 (PolicyChanges{{"step_arithmetic", word("either")}}));

}  // namespace
}  // namespace ampcheck::properties
