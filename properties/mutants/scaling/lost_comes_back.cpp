#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct LostComesBack : subject::Textbook {
  double scaled(double cotangent, double c, const Format& f) override {
    const double product = Textbook::scaled(cotangent, c, f);
    if (product == 0 && c != 0) lost_ = c;
    return product;
  }
  double unscaled(double x, const Format& format) override {
    return x == 0 && lost_ != 0 ? lost_ : Textbook::unscaled(x, format);
  }
  double lost_ = 0;
};

AMPCHECK_MUTANT(LostComesBack, "lost-comes-back", "scaling",
                "a product that rounded to zero is there again once it is unscaled");

}  // namespace
}  // namespace ampcheck::properties
