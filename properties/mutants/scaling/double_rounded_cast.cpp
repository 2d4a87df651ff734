#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct DoubleRoundedCast : subject::Textbook {
  double scaled(double cotangent, double coefficient, const Format& f) override {
    const double product = cotangent * coefficient;
    return subject::narrow(f.width < 32 ? subject::narrow(product, reference::binary32) : product,
                           f);
  }
};

AMPCHECK_MUTANT(DoubleRoundedCast, "double-rounded-cast", "scaling",
                "a scaled gradient is rounded to binary32 and then to its short format");

}  // namespace
}  // namespace ampcheck::properties
