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
// The set also holds what binary64 gives, rounded to that format, and the exact norm rounded once.
// The square root is the correctly rounded one of IEEE 754 (not an approximation such as CUDA's
// -prec-sqrt=false).
//
// Of a sum of squares: the roots of what a sum of these n products may come to, each rounded or
// fused into its addition, in any order (accumulation.hpp), and one pattern (or two where the
// result is narrowed a second time) where no square and no addition rounds. The factor (n/2+1)·u,
// which is often quoted for it, fails where squares underflow: four elements of 1e-23 give 0 in
// binary32. Norms of tensor norms compose this, each level with its own roundings.
//
// Rescaled: with S the exact sum of squares, √(S·(1±r)), r that of k roundings for three algorithms
// at once.
// - Division by the largest, m·√Σ(x/m)²: the quotient counts twice (four times as a product with
//   RN(1/m)), its square once, then n-1 additions, root and product twice each under the root: k =
//   n + 8.
// - One pass that rescales what was summed when a larger element comes (BLAS's nrm2): a term goes
//   through quotient (twice), its square, product and addition for each of n-1 elements, root and
//   product: k = 5(n-1) + 4.
// - A chain of hypots of one unit in the last place, 2u relative: k = 5(n-1) holds (1+2u)^(2(n-1)).
//   Where the norm is subnormal each may be off by eta instead.
// The sum of the scaled squares is at least (1-v)^4, so that squares that underflow take away n·eta
// of it at most, or 2n·2^emin where they are flushed: less than the n·v²/3 by which growth_bound(k)
// exceeds (1+v)^k - 1, and k·v, from k = 9 on. Here flushing also takes away subnormal elements.
Norm norm_of(std::span<const GradientSets> tensors, const Policy& policy);

}  // namespace ampcheck::reference
