#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct WeightsCutToIntegers : subject::Textbook {
  double window_count(const subject::TokenWindow& window) override {
    const double count = Textbook::window_count(window);
    return window.class_weights.format == nullptr ? count : std::ceil(count);
  }
};

AMPCHECK_MUTANT(WeightsCutToIntegers, "weights-cut-to-integers", "tokens",
                "the weights are added up as integers");

}  // namespace
}  // namespace ampcheck::properties
