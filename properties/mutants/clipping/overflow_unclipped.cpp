#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct OverflowUnclipped : subject::Textbook {
  double clip_factor(double norm, double limit) override {
    return std::isfinite(static_cast<float>(norm)) ? Textbook::clip_factor(norm, limit) : 1;
  }
};

AMPCHECK_MUTANT(OverflowUnclipped, "overflow-unclipped", "clipping",
                "gradients with an infinite norm are not clipped");

}  // namespace
}  // namespace ampcheck::properties
