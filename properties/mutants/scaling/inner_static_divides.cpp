#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct InnerStaticDivides : subject::Textbook {
  double unscaled(double x, const Format& format) override {
    return Textbook::unscaled(x / 8, format);
  }
};

AMPCHECK_MUTANT(InnerStaticDivides, "inner-static-divides", "scaling",
                "a second, static scale of 8 divides inside of the first");

}  // namespace
}  // namespace ampcheck::properties
