#include <cmath>

#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct EpsilonInsideTheRoot : subject::Textbook {
  double adam_denominator(double v, double correction, double epsilon,
                          const Format& wide) override {
    return subject::narrow(std::sqrt(v / correction + epsilon), wide);
  }
};

AMPCHECK_MUTANT(EpsilonInsideTheRoot, "epsilon-inside-the-root", "skipping",
                "Adam's epsilon is added to v under the root");

}  // namespace
}  // namespace ampcheck::properties
