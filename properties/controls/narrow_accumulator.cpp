#include "properties/controls/gradients_as_parameters.hpp"

namespace ampcheck::properties {
namespace {

struct NarrowAccumulator : GradientsAsParameters {};

AMPCHECK_CONTROL(NarrowAccumulator, "narrow-accumulator",
                 "gradients are kept and summed in the parameter's format",
                 (PolicyChanges{{"accumulator", word("parameter")}}));

}  // namespace
}  // namespace ampcheck::properties
