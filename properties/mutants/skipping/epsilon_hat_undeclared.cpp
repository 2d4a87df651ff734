#include <cmath>

#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct EpsilonHatUndeclared : subject::Textbook {
  double adam_denominator(double v, double correction, double epsilon,
                          const Format& wide) override {
    return subject::narrow((std::sqrt(v) + epsilon) / std::sqrt(correction), wide);
  }
};

AMPCHECK_MUTANT(EpsilonHatUndeclared, "epsilon-hat-undeclared", "skipping",
                "Adam adds epsilon to the root of a v that is not corrected, and does not say so");

}  // namespace
}  // namespace ampcheck::properties
