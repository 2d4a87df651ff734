// The norm that norm_of allows, judged without rationals.
#pragma once

#include <optional>
#include <span>

#include "reference/fast_aligned.hpp"
#include "reference/policy.hpp"

namespace ampcheck::reference::fast {

// Norm::computed of norm.hpp for one tensor of finite elements of a format of at most 32 bits,
// which is accumulated in binary32 and given in binary32, or in the elements' own format where the
// policy says so. What binary64 would have given and the exact norm rounded once are in it.
//
// Nothing where the exact path must answer:
// - flushing, norms of tensor norms or by rescaling, binary64 (Norm::wide), 2^20 elements;
// - squares further apart than 96 bits are long: from one another or, where additions round, from
//   half of eta = 2^-149 if some are no multiples of eta;
// - ends of the enclosure so close to a rounding boundary that 72 bits of a longer sum do not tell
//   on which side they lie;
// - one or two elements that may give patterns which are no neighbours, and not what lies between:
//   those whose squares binary32 loses.
std::optional<Range> norm(std::span<const std::uint64_t> elements, const NumberFormat& format,
                          const Policy& policy);

// The format of its patterns.
inline const NumberFormat& norm_format(const NumberFormat& element, const Policy& policy) {
  return policy.narrow_norm ? element : binary32;
}

}  // namespace ampcheck::reference::fast
