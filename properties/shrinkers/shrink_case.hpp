// Smaller cases, in the order of what a reader would leave out first.
#pragma once

#include <vector>

#include "subject/case.hpp"

namespace ampcheck::properties {

// Fewer windows, fewer micro-batches, fewer steps, fewer tensors, fewer elements, a simpler scale,
// simpler numbers. Each candidate differs in one of these, and all are well formed. None equals the
// case.
std::vector<subject::Case> smaller_cases(const subject::Case&);

}  // namespace ampcheck::properties
