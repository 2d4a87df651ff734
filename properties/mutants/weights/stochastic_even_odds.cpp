#include "properties/built_in.hpp"
#include "properties/rounds_by_chance.hpp"

namespace ampcheck::properties {
namespace {

struct StochasticEvenOdds : RoundsByChance {
  double chance(double, double) override { return 0.5; }
};

AMPCHECK_MUTANT(StochasticEvenOdds, "stochastic-even-odds", "weights",
                "both neighbours come with the same chance", {"copy_rounding", word("stochastic")});

}  // namespace
}  // namespace ampcheck::properties
