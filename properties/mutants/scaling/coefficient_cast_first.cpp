#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct CoefficientCastFirst : subject::Textbook {
  double scaled(double cotangent, double coefficient, const Format& f) override {
    return Textbook::scaled(cotangent, subject::narrow(coefficient, f), f);
  }
};

AMPCHECK_MUTANT(CoefficientCastFirst, "coefficient-cast-first", "scaling",
                "a gradient is cast to its short format before it is scaled");

}  // namespace
}  // namespace ampcheck::properties
