// What a recipe may come to.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/admissible.hpp"
#include "subject/case.hpp"

namespace ampcheck::properties {

// Of accumulate the one number, of warm_up the ends of the windows.
std::vector<std::int64_t> recipe_integers(const subject::Recipe&);

// Of weight_decay and linear_lr, in binary32 or binary64.
reference::Admissible recipe_number(const subject::Recipe&, const reference::NumberFormat& shown);

}  // namespace ampcheck::properties
