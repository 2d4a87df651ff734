#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct ScaleCastToHalf : subject::Textbook {
  double seed(const Format& loss_format) override {
    scaler_.scale = subject::narrow(scaler_.scale, reference::binary16);
    return Textbook::seed(loss_format);
  }
};

AMPCHECK_MUTANT(ScaleCastToHalf, "scale-cast-to-half", "scaling", "keeps the scale in binary16");

}  // namespace
}  // namespace ampcheck::properties
