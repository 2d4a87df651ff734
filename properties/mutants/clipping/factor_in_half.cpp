#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct FactorInHalf : subject::Textbook {
  double clip_factor(double norm, double limit) override {
    return subject::narrow(Textbook::clip_factor(norm, limit), reference::binary16);
  }
};

AMPCHECK_MUTANT(FactorInHalf, "factor-in-half", "clipping",
                "the factor of a clip is rounded to binary16");

}  // namespace
}  // namespace ampcheck::properties
