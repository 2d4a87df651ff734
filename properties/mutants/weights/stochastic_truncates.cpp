#include "properties/built_in.hpp"
#include "properties/rounds_by_chance.hpp"

namespace ampcheck::properties {
namespace {

struct StochasticTruncates : RoundsByChance {
  double chance(double, double master) override { return master < 0 ? 1 : 0; }
};

AMPCHECK_MUTANT(StochasticTruncates, "stochastic-truncates", "weights",
                "declared stochastic rounding goes toward zero",
                {"copy_rounding", word("stochastic")});

}  // namespace
}  // namespace ampcheck::properties
