// The loss of a micro-batch that its user is told: the unscaled one, whatever the scale.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/admissible.hpp"
#include "reference/policy.hpp"

namespace ampcheck::reference {

// The sets of which one holds the loss in its own format, as it was told under one of these scales:
// the loss itself, and, where the loop divides it by n, also RN(loss/n) or what divided_seed has.
//
// Who reports what was back-propagated has multiplied with S and divides by it again. Powers of two
// leave no trace. Else four roundings may: RN(S), the product with it, RN(1/S) and the product with
// that, where it is no quotient. What underflows is off by half of the smallest subnormal number
// (by less than the smallest normal one where it may be flushed): S, times loss/S; loss·S, times
// 1/S; 1/S, times loss·S; the result. A scale or a product beyond the format's range comes back as
// inf or NaN.
std::vector<Admissible> reported_losses(const Number& loss, std::int64_t n,
                                        const std::vector<Rational>& scales, const Policy& policy);

}  // namespace ampcheck::reference
