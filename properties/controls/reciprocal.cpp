#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct Reciprocal : subject::Textbook {
  double unscaled(double x, const Format& format) override {
    return subject::narrow(x * static_cast<float>(1 / scaler_.scale), format);
  }
};

AMPCHECK_CONTROL(Reciprocal, "reciprocal", "multiplies by 1/S rounded to binary32",
                 (PolicyChanges{{"unscale", word("reciprocal_binary32")}}));

}  // namespace
}  // namespace ampcheck::properties
