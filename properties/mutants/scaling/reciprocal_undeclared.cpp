#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct ReciprocalUndeclared : subject::Textbook {
  double unscaled(double x, const Format& format) override {
    return subject::narrow(x * subject::narrow(1 / scaler_.scale, reference::binary32), format);
  }
};

AMPCHECK_MUTANT(ReciprocalUndeclared, "reciprocal-undeclared", "scaling",
                "multiplies by the reciprocal in binary32, and says that it divides");

}  // namespace
}  // namespace ampcheck::properties
