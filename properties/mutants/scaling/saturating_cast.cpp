#include <cmath>

#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct SaturatingCast : subject::Textbook {
  double scaled(double cotangent, double c, const Format& f) override {
    const double product = Textbook::scaled(cotangent, c, f);
    const bool overflowed = !std::isfinite(product) && std::isfinite(cotangent) && std::isfinite(c);
    return overflowed ? std::copysign(subject::to_double(f.max_finite(), f), cotangent * c)
                      : product;
  }
};

AMPCHECK_MUTANT(SaturatingCast, "saturating-cast", "scaling",
                "a scaled gradient beyond the range becomes the largest finite number");

}  // namespace
}  // namespace ampcheck::properties
