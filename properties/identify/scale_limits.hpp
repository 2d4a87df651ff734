// Floor and ceiling, read off a run of overflows and a run of growth, and then judged.
#pragma once

#include <vector>

#include "properties/identify/elimination.hpp"
#include "properties/identify/experiments.hpp"

namespace ampcheck::properties::identify {

// floor and at_floor, for a schedule that is known.
std::vector<Finding> find_floor(Bench&, const subject::Policy& known, Overflows);

// ceiling and growth_limit.
std::vector<Finding> find_ceiling(Bench&, const subject::Policy& known, Overflows);

}  // namespace ampcheck::properties::identify
