#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct StochasticToNearest : subject::Textbook {};

AMPCHECK_MUTANT(StochasticToNearest, "stochastic-to-nearest", "weights",
                "declared stochastic rounding is to nearest",
                {"copy_rounding", word("stochastic")});

}  // namespace
}  // namespace ampcheck::properties
