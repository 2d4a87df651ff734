#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct InnerStaticMultiplies : subject::Textbook {
  double unscaled(double x, const Format& format) override {
    return Textbook::unscaled(x * 8, format);
  }
};

AMPCHECK_MUTANT(InnerStaticMultiplies, "inner-static-multiplies", "scaling",
                "a second, static scale of 8 scales and is never taken away");

}  // namespace
}  // namespace ampcheck::properties
