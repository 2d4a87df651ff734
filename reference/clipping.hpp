// Rule 2, clipping: a threshold speaks of unscaled gradients.
#pragma once

#include "reference/admissible.hpp"
#include "reference/norm.hpp"
#include "reference/policy.hpp"

namespace ampcheck::reference {

// One element g after a clip of the whole, whose norm is N, to the limit M: g·min(1, M/(N+e)), e
// the policy's epsilon. v = u/(1+u), u the unit roundoff of the format of the norm, is the largest
// relative error of one rounding to it (relative_error of error_bounds.hpp).
//
// - Where every admissible norm, epsilon added, is below the limit: g as it is, and what a product
//   with a factor of 1 comes to where the policy forms it even then. That factor may be off: as
//   M·RN(1/M), M·min(1/N, 1/M), by the roundings of a reciprocal and a product, and so may (g·M)/M,
//   by those of a product and a quotient. Two roundings lie within g·(1±v)²; the last one of either
//   form, to g's own format, is made at the ends of that.
// - Where every one is above it: the values of the declared formula for the admissible norms, each
//   operation rounded to nearest in the format of the norm, and the exact value, rounded once.
//   Every form is monotone in the norm and in g, so that over intervals the values at the ends
//   bound it.
// - Where the limit lies inside the enclosure of the norm, or at its end: both.
//
// Where flushing is declared, a factor or a product on the way below the smallest normal number may
// leave nothing of g.
Admissible clipped_by_norm(const Admissible& element, const Norm& norm, const Number& limit,
                           const Policy& policy);

// One element after a clip by value: compared with the limit, or scaled with S times the limit, so
// that the limit may also come out as RN(RN(S·limit)/S) or RN(RN(S·limit)·RN(1/S)). `scales` are
// those that the subject may have; none where nothing is scaled any more.
Admissible clipped_by_value(const Admissible& element, const Number& limit,
                            const std::vector<Rational>& scales, const Policy& policy);

// The same of an element that is still scaled: compared with RN(S·limit).
Admissible clipped_scaled_by_value(const Admissible& element, const Number& limit,
                                   const std::vector<Rational>& scales);

}  // namespace ampcheck::reference
