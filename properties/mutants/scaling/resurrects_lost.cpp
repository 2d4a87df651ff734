#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ResurrectsLost : subject::Textbook {
  double unscaled(double x, const Format& format) override {
    return Textbook::unscaled(x == 0 ? 0x1p-24 : x, format);
  }
};

AMPCHECK_MUTANT(ResurrectsLost, "resurrects-lost", "scaling",
                "a gradient that is zero becomes the smallest subnormal number of binary16");

}  // namespace
}  // namespace ampcheck::properties
