#include <cmath>

#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

// TensorFlow and Keras: lr·√(1 - beta2^t)/(1 - beta1^t)·m / (√v + epsilon).
struct EpsilonHat : subject::Textbook {
  double adam_denominator(double v, double correction, double epsilon,
                          const Format& wide) override {
    const double root = subject::narrow(std::sqrt(v), wide);
    return subject::narrow(
        subject::narrow(root + epsilon, wide) / subject::narrow(std::sqrt(correction), wide), wide);
  }
};

AMPCHECK_CONTROL(EpsilonHat, "epsilon-hat", "Adam's epsilon is added to √v, as declared",
                 (PolicyChanges{{"adam_epsilon", word("hat")}}));

}  // namespace
}  // namespace ampcheck::properties
