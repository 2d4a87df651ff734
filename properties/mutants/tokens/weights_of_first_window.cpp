#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct WeightsOfFirstWindow : subject::Textbook {
  double class_weight(const subject::TokenWindow& window, std::int64_t label) override {
    if (window.class_weights.format == nullptr) return 1;
    subject::TokenWindow first = window;
    if (first_.format == nullptr) first_ = window.class_weights;
    first.class_weights = first_;
    return Textbook::class_weight(first, label);
  }
  subject::Tensor first_;
};

AMPCHECK_MUTANT(WeightsOfFirstWindow, "weights-of-first-window", "tokens",
                "the class weights of the first window stay");

}  // namespace
}  // namespace ampcheck::properties
