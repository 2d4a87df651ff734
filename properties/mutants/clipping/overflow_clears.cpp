#include "properties/mutants/squares_in_binary32.hpp"

namespace ampcheck::properties {
namespace {

struct OverflowClears : SquaresInBinary32 {};

AMPCHECK_MUTANT(OverflowClears, "overflow-clears", "clipping",
                "squares overflow in binary32, and limit/inf clears the gradients");

}  // namespace
}  // namespace ampcheck::properties
