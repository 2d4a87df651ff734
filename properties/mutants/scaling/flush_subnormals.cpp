#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct FlushSubnormals : subject::Textbook {
  double unscaled(double x, const Format& format) override {
    const double y = Textbook::unscaled(x, format);
    return std::fabs(y) < std::ldexp(1.0, format.min_exponent()) ? 0 : y;
  }
};

AMPCHECK_MUTANT(FlushSubnormals, "flush-subnormals", "scaling",
                "unscaled gradients that are subnormal become zero");

}  // namespace
}  // namespace ampcheck::properties
