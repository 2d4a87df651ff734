#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ScaleClampedToOne : subject::Textbook {
  double unscaled(double x, const Format& format) override {
    return scaler_.scale < 1 ? x : Textbook::unscaled(x, format);
  }
};

AMPCHECK_MUTANT(ScaleClampedToOne, "scale-clamped-to-one", "scaling",
                "a scale below 1 is treated as 1 when gradients are unscaled");

}  // namespace
}  // namespace ampcheck::properties
