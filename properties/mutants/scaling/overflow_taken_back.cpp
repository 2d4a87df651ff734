#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct OverflowTakenBack : subject::Textbook {
  double scaled(double cotangent, double c, const Format& f) override {
    const double product = Textbook::scaled(cotangent, c, f);
    if (!std::isfinite(product) && std::isfinite(c)) unscaled_ = c;
    return product;
  }
  double unscaled(double x, const Format& format) override {
    return std::isfinite(x) || unscaled_ == 0 ? Textbook::unscaled(x, format) : unscaled_;
  }
  double unscaled_ = 0;
};

AMPCHECK_MUTANT(OverflowTakenBack, "overflow-taken-back", "scaling",
                "a product that overflowed is finite again once it is unscaled");

}  // namespace
}  // namespace ampcheck::properties
