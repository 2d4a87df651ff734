// The norm that a clip compares with its limit.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "reference/admissible.hpp"
#include "reference/policy.hpp"

namespace ampcheck::reference {

// The gradients of one tensor, one set an element.
using GradientSets = std::vector<Admissible>;

struct Norm {
  Admissible computed;             // what the subject may have computed
  std::optional<Admissible> wide;  // the same in binary64, where norms may be kept wider than that
  std::optional<Exact> exact;      // the norm itself, where every element is known
};

// The Euclidean norm of all elements together, as the declared algorithm may compute it: rounded to
// the accumulator's format (binary32 or the widest gradient format) or, where the policy says so,
// to the gradients' own. Where it does not, also as one that sums, takes the root and goes on in
// binary64. All elements must be finite.
//
// One pattern (or two where the result is narrowed a second time) where no square and no partial
// sum rounds: all elements are multiples k·2^e with sum k² <= 2^p and 2^2e representable. Else the
// enclosure [RN(√max(0, S-E)), RN(√(S+E))], S the exact sum of the n squares and E = ((1+v)^n -
// 1)·S + n·(eta/2)·(1+v)^n, v = u/(1+u), eta the smallest subnormal: every square and every sum
// rounded to nearest in any order, fused or not. Norms of tensor norms compose this, each level
// with its own roundings. Of elements divided by the largest, by the largest so far (with what was
// summed rescaled when a larger one comes), or in a chain of hypots of one unit in the last place:
// the exact norm within (1±v)^(3n+6), n counting tensors besides elements. An element takes at most
// five roundings, half of which stay after the root; three hold a hypot; underflow is below the
// rest, since the sum is at least 1. (n/2+1)·u, which is often quoted, fails where squares
// underflow.
Norm norm_of(std::span<const GradientSets> tensors, const Policy& policy);

}  // namespace ampcheck::reference
