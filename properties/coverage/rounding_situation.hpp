// What rounding to nearest does to an exact result: the situations that tests of floating-point
// units count (Aharoni, Asaf, Fournier, Koifman and Nagel, "FPgen - a test generation framework for
// datapath floating-point verification", IEEE HLDVT 2003).
#pragma once

#include <cstddef>
#include <string_view>

#include "reference/exact.hpp"
#include "reference/number_format.hpp"

namespace ampcheck::properties {

// Each result is in one of them, the first that applies from below upwards for `exact` and then
// from the end of the list backwards.
enum class RoundingSituation {
  exact,           // a number of the format
  below_half,      // nearer to the number that is nearer to zero
  tie_down,        // half way, and the number that is nearer to zero is even
  tie_up,          // half way, and the other one is
  above_half,      // nearer to the number that is farther from zero
  carry,           // rounded up to the next power of two
  into_subnormal,  // below the smallest normal number and not exact
  into_zero,       // of these, what is rounded to zero
  into_overflow,   // beyond the largest finite number
};
inline constexpr std::size_t kRoundingSituations = 9;

std::string_view name_of(RoundingSituation);

RoundingSituation rounding_situation(const reference::Exact& x, const reference::NumberFormat&);

}  // namespace ampcheck::properties
