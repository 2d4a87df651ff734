#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct UnscaleByBfloat16Scale : subject::Textbook {
  double unscaled(double x, const Format& format) override {
    return subject::narrow(x / subject::narrow(scaler_.scale, reference::bfloat16), format);
  }
};

AMPCHECK_MUTANT(UnscaleByBfloat16Scale, "unscale-by-bfloat16-scale", "scaling",
                "the scale is rounded to bfloat16 before it divides");

}  // namespace
}  // namespace ampcheck::properties
