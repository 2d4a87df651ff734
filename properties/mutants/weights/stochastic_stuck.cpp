#include "properties/built_in.hpp"
#include "properties/rounds_by_chance.hpp"

namespace ampcheck::properties {
namespace {

struct StochasticStuck : RoundsByChance {
  double uniform() override { return 0.4; }
};

AMPCHECK_MUTANT(StochasticStuck, "stochastic-stuck", "weights",
                "every stochastic rounding has the same random number",
                {"copy_rounding", word("stochastic")});

}  // namespace
}  // namespace ampcheck::properties
