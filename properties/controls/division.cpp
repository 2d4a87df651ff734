#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct Division : subject::Textbook {
  double unscaled(double x, const Format& format) override {
    return subject::narrow(x / scaler_.scale, format);
  }
};

AMPCHECK_CONTROL(Division, "division", "divides by S in binary64 and rounds once more",
                 (PolicyChanges{{"unscale_format", word("binary64")}}));

}  // namespace
}  // namespace ampcheck::properties
