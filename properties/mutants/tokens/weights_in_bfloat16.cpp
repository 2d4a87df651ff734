#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct WeightsInBfloat16 : subject::Textbook {
  double window_count(const subject::TokenWindow& window) override {
    const double count = Textbook::window_count(window);
    return window.class_weights.format == nullptr ? count
                                                  : subject::narrow(count, reference::bfloat16);
  }
};

AMPCHECK_MUTANT(WeightsInBfloat16, "weights-in-bfloat16", "tokens",
                "the weights are added up in bfloat16");

}  // namespace
}  // namespace ampcheck::properties
