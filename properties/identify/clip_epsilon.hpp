// What a clip adds to the norm, read off a clipped gradient.
#pragma once

#include <optional>

#include "properties/identify/experiment.hpp"
#include "subject/policy.hpp"

namespace ampcheck::properties::identify {

// Of the answers to epsilon_experiment: e = M·g/clipped - N, with what four roundings of binary32
// may change; of these numbers 0, or the one with the fewest decimal digits. Nothing where no
// clipped gradient is shown.
std::optional<subject::PolicyValue> read_clip_epsilon(const Trial&);

}  // namespace ampcheck::properties::identify
