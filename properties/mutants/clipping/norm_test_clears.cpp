#include "properties/mutants/squares_in_binary32.hpp"

namespace ampcheck::properties {
namespace {

struct NormTestClears : SquaresInBinary32 {};

AMPCHECK_MUTANT(
    NormTestClears, "norm-test-clears", "clipping",
    "an overflow of the norm is said to skip, and clears the gradients of a step that is taken",
    {"finite_test", word("norm")});

}  // namespace
}  // namespace ampcheck::properties
