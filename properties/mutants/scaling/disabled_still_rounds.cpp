#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct DisabledStillRounds : subject::Textbook {
  double scaled(double cotangent, double c, const Format& f) override {
    const double product = Textbook::scaled(cotangent, c, f);
    return scaler_.enabled ? product : subject::narrow(product, reference::binary16);
  }
};

AMPCHECK_MUTANT(DisabledStillRounds, "disabled-still-rounds", "scaling",
                "the disabled path casts to binary16 and back");

}  // namespace
}  // namespace ampcheck::properties
