#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct WeightsDoNotDivide : subject::Textbook {
  double window_count(const subject::TokenWindow& window) override {
    subject::TokenWindow alike = window;
    alike.class_weights = {};
    return Textbook::window_count(alike);
  }
};

AMPCHECK_MUTANT(WeightsDoNotDivide, "weights-do-not-divide", "tokens",
                "with class weights the divisor is the number of tokens");

}  // namespace
}  // namespace ampcheck::properties
