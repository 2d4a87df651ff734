// Rule 2, clipping: a threshold speaks of unscaled gradients.
#pragma once

#include "reference/admissible.hpp"
#include "reference/norm.hpp"
#include "reference/policy.hpp"

namespace ampcheck::reference {

// One element after a clip of the whole to `limit`.
//
// Where every admissible norm, epsilon added, is below the limit: the element as it is, or within
// (1±v)² of it where the policy multiplies by a factor computed as 1: g·M and its quotient by M, or
// M·RN(1/M), have two roundings beside the last. Else the values of the declared formula over the
// admissible norms, each operation rounded to nearest in the format of the norm, and the exact
// value rounded once. Every form is monotone in the norm and in the element, so that over intervals
// the values at the ends bound it. Where the limit lies inside the enclosure, or at its end, both.
// Where flushing is declared, a factor or a product on the way below the smallest normal number may
// leave nothing of the element.
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
