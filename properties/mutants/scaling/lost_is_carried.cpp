#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct LostIsCarried : subject::Textbook {
  double scaled(double cotangent, double c, const Format& f) override {
    const double product = Textbook::scaled(cotangent, c + lost_, f);
    lost_ = product == 0 ? c + lost_ : 0;
    return product;
  }
  double lost_ = 0;
};

AMPCHECK_MUTANT(LostIsCarried, "lost-is-carried", "scaling",
                "a product that rounds to zero is kept, and added to the next");

}  // namespace
}  // namespace ampcheck::properties
