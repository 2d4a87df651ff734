#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct ReciprocalInGradientFormat : subject::Textbook {
  double unscaled(double x, const Format& format) override {
    return subject::narrow(x * subject::narrow(1 / scaler_.scale, reference::binary16), format);
  }
};

AMPCHECK_MUTANT(ReciprocalInGradientFormat, "reciprocal-in-gradient-format", "scaling",
                "1/S is cast to binary16 before it multiplies");

}  // namespace
}  // namespace ampcheck::properties
