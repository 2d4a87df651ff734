#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct WeightsOnlyDivide : subject::Textbook {
  double class_weight(const subject::TokenWindow& window, std::int64_t label) override {
    return counting_ ? Textbook::class_weight(window, label) : 1;
  }
  double window_count(const subject::TokenWindow& window) override {
    counting_ = true;
    const double count = Textbook::window_count(window);
    counting_ = false;
    return count;
  }
  bool counting_ = false;
};

AMPCHECK_MUTANT(WeightsOnlyDivide, "weights-only-divide", "tokens",
                "class weights enter the divisor and not the sum");

}  // namespace
}  // namespace ampcheck::properties
