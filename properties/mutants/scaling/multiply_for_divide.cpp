#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct MultiplyForDivide : subject::Textbook {
  double unscaled(double x, const Format& format) override {
    return subject::narrow(x * scaler_.scale, format);
  }
};

AMPCHECK_MUTANT(MultiplyForDivide, "multiply-for-divide", "scaling",
                "multiplies by the scale where it should divide");

}  // namespace
}  // namespace ampcheck::properties
