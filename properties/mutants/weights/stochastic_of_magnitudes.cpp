#include "properties/built_in.hpp"
#include "properties/rounds_by_chance.hpp"

namespace ampcheck::properties {
namespace {

struct StochasticOfMagnitudes : RoundsByChance {
  double chance(double fraction, double master) override {
    return master < 0 ? 1 - fraction : fraction;
  }
};

AMPCHECK_MUTANT(StochasticOfMagnitudes, "stochastic-of-magnitudes", "weights",
                "negative numbers are rounded up with the chance of rounding down",
                {"copy_rounding", word("stochastic")});

}  // namespace
}  // namespace ampcheck::properties
