#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct UnscaleThroughBfloat16 : subject::Textbook {
  double unscaled(double x, const Format& format) override {
    return subject::narrow(Textbook::unscaled(x, reference::bfloat16), format);
  }
};

AMPCHECK_MUTANT(UnscaleThroughBfloat16, "unscale-through-bfloat16", "scaling",
                "an unscaled gradient passes through bfloat16");

}  // namespace
}  // namespace ampcheck::properties
