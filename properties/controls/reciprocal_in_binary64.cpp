#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct ReciprocalInBinary64 : subject::Textbook {
  double unscaled(double x, const Format& format) override {
    return subject::narrow(x * (1 / scaler_.scale), format);
  }
};

AMPCHECK_CONTROL(ReciprocalInBinary64, "reciprocal-in-binary64",
                 "multiplies by 1/S rounded to binary64, in binary64",
                 (PolicyChanges{{"unscale", word("reciprocal_binary64")},
                                {"unscale_format", word("binary64")}}));

}  // namespace
}  // namespace ampcheck::properties
