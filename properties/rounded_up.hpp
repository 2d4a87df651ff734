// Copies of equal master weights, counted by the side that they were rounded to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/admissible.hpp"

namespace ampcheck::properties {

struct RoundedUp {
  std::uint64_t master;        // in its own format
  reference::Rational chance;  // of rounding it up
  std::int64_t ups = 0, roundings = 0;
  std::size_t first = 0;  // index of the first of them
};

// One entry for each master that lies between two numbers of the copies' format. Masters that are
// not known to one pattern, and infinite ones, are left out.
std::vector<RoundedUp> count_rounded_up(const std::vector<reference::Admissible>& masters,
                                        const std::vector<reference::Admissible>& copies);

}  // namespace ampcheck::properties
