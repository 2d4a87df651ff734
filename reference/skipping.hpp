// Rule 4, skipping: an inf or NaN among the gradients skips the step. What it does to the scale is
// in scale_schedule.hpp.
#pragma once

#include <vector>

#include "reference/admissible.hpp"

namespace ampcheck::reference {

enum class Verdict { clean, overflow, unknown };

// Of two sets of gradients together.
Verdict worse(Verdict a, Verdict b);

// Unknown where a value may be finite or not, and none is surely not.
Verdict verdict_on(const std::vector<Admissible>& values);

}  // namespace ampcheck::reference
