#include <cmath>

#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct TruncatingCast : subject::Textbook {
  double scaled(double cotangent, double c, const Format& f) override {
    const double exact = cotangent * c, nearest = Textbook::scaled(cotangent, c, f);
    if (!(std::fabs(nearest) > std::fabs(exact))) return nearest;
    return subject::to_double(subject::to_bits(nearest, f) - 1, f);
  }
};

AMPCHECK_MUTANT(TruncatingCast, "truncating-cast", "scaling", "casts scaled gradients toward zero");

}  // namespace
}  // namespace ampcheck::properties
