#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ReciprocalFlushed : subject::Textbook {
  double unscaled(double x, const Format& format) override {
    return 1 / scaler_.scale < 0x1p-126 ? std::copysign(0.0, x) : Textbook::unscaled(x, format);
  }
};

AMPCHECK_MUTANT(ReciprocalFlushed, "reciprocal-flushed", "scaling",
                "a reciprocal below the normal numbers of binary32 is zero");

}  // namespace
}  // namespace ampcheck::properties
