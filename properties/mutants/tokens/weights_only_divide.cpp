#include "properties/built_in.hpp"
#include "properties/mutants/knows_that_it_counts.hpp"

namespace ampcheck::properties {
namespace {

struct WeightsOnlyDivide : KnowsThatItCounts {
  double class_weight(const subject::TokenWindow& window, std::int64_t label) override {
    return counting_ ? Textbook::class_weight(window, label) : 1;
  }
};

AMPCHECK_MUTANT(WeightsOnlyDivide, "weights-only-divide", "tokens",
                "class weights enter the divisor and not the sum");

}  // namespace
}  // namespace ampcheck::properties
