#include "properties/built_in.hpp"
#include "properties/rounds_by_chance.hpp"

namespace ampcheck::properties {
namespace {

struct StochasticHalfTheChance : RoundsByChance {
  double chance(double fraction, double) override { return fraction / 2; }
};

AMPCHECK_MUTANT(StochasticHalfTheChance, "stochastic-half-the-chance", "weights",
                "a number is rounded up with half the chance that it should have",
                {"copy_rounding", word("stochastic")});

}  // namespace
}  // namespace ampcheck::properties
