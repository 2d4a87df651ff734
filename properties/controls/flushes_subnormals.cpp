#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct FlushesSubnormals : subject::Textbook {
  double scaled(double cotangent, double coefficient, const Format& f) override {
    return flushed(Textbook::scaled(cotangent, coefficient, f), f);
  }
  double unscaled(double x, const Format& f) override {
    return flushed(Textbook::unscaled(flushed(x, f), f), f);
  }
  double moved(double p, double rate, double d, const Format& f) override {
    return flushed(Textbook::moved(flushed(p, f), rate, d, f), f);
  }
  static double flushed(double x, const Format& f) {
    return std::fabs(x) < std::ldexp(1.0, f.min_exponent()) ? std::copysign(0.0, x) : x;
  }
};

AMPCHECK_CONTROL(FlushesSubnormals, "flushes-subnormals",
                 "subnormal operands and results become zero",
                 (PolicyChanges{{"subnormals", word("may_flush")}}));

}  // namespace
}  // namespace ampcheck::properties
