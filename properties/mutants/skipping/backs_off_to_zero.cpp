#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct BacksOffToZero : subject::Textbook {
  void back_off() override {
    scaler_.scale = static_cast<float>(scaler_.scale * scaler_.backoff_factor);
  }
  double unscaled(double x, const Format& format) override {
    return subject::narrow(x * static_cast<float>(1 / scaler_.scale), format);
  }
};

AMPCHECK_MUTANT(BacksOffToZero, "backs-off-to-zero", "skipping",
                "no floor: the scale halves to zero, and its reciprocal overflows");

}  // namespace
}  // namespace ampcheck::properties
