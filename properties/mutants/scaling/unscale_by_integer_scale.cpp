#include <algorithm>
#include <cmath>

#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct UnscaleByIntegerScale : subject::Textbook {
  double unscaled(double x, const Format& format) override {
    return subject::narrow(x / std::max(std::floor(scaler_.scale), 1.0), format);
  }
};

AMPCHECK_MUTANT(UnscaleByIntegerScale, "unscale-by-integer-scale", "scaling",
                "the scale is cut to an integer before it divides");

}  // namespace
}  // namespace ampcheck::properties
