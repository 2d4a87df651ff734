#include <cmath>
#include <random>

#include "properties/built_in.hpp"
#include "properties/rounds_by_chance.hpp"

namespace ampcheck::properties {
namespace {

struct StochasticCopies : RoundsByChance {
  // Goes on from case to case, so that no case is rounded twice alike.
  double uniform() override {
    static thread_local std::mt19937_64 random;
    return std::ldexp(static_cast<double>(random() >> 11), -53);
  }
};

AMPCHECK_CONTROL(StochasticCopies, "stochastic-copies",
                 "copies of master weights are rounded stochastically",
                 (PolicyChanges{{"copy_rounding", word("stochastic")}}));

}  // namespace
}  // namespace ampcheck::properties
