// The norm that a clip compares with its limit.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "reference/admissible.hpp"
#include "reference/norm_order.hpp"
#include "reference/policy.hpp"

namespace ampcheck::reference {

// The gradients of one tensor, one set an element.
using GradientSets = std::vector<Admissible>;

struct Norm {
  Admissible computed;             // what the subject may have computed
  std::optional<Admissible> wide;  // the same in binary64, where norms may be kept wider than that
  // The norm itself, where every element is known and p is 1, 2 or infinite.
  std::optional<Exact> exact;

  // Of gradients that hold an inf or NaN: no number.
  static Norm non_finite();
};

// Whether squares, powers and sums may leave the range of the accumulator's exponents. Where they
// may not, the norm is that of the elements over a power of two, times that power: the same
// roundings, and an infinite norm only where the norm itself is none of the format's numbers.
enum class Exponents { of_the_format, unbounded };

// The norm of all elements together, where nothing else is said the Euclidean one, as the declared
// algorithm may compute it: rounded to the accumulator's format (binary32 or the widest gradient
// format) or, where the policy says so, to the gradients' own. Where it does not, also as one that
// sums, takes the root and goes on in binary64. All elements must be finite.
//
// The set also holds what binary64 gives, rounded to that format, and the exact norm rounded once.
// The square root is the correctly rounded one of IEEE 754 (not an approximation such as CUDA's
// -prec-sqrt=false).
//
// Of a sum of squares: the roots of what a sum of these n products may come to, each rounded or
// fused into its addition, in any order (accumulation.hpp), and one pattern (or two where the
// result is narrowed a second time) where no square and no addition rounds. The factor (n/2+1)·u,
// which is often quoted for it, fails where squares underflow: four elements of 1e-23 give 0 in
// binary32. Norms of tensor norms compose this, each level with its own roundings; the second may
// be binary64 where the first is binary32.
//
// Rescaled: with S the exact sum of n squares that are not zero, √(S·(1±r)), where r is that of k
// roundings, each a factor within 1±v of a square x² or of all of S. What is rounded before a
// square is taken, or after the root, counts 2. k is the largest of three algorithms':
// - Division by the largest, m·√Σ(x/m)². k = n + 8:
//     4      x·RN(1/m), the reciprocal and the product, both squared (or 2, the quotient),
//     1      the square,
//     n - 1  additions,
//     2      the root,
//     2      the product with m.
//   Where 1/m is subnormal, RN(1/m) is off by eta/2·m < 4u < 5v, and k = n + 16: 10 for that
//   reciprocal instead of 2. Flushed, nothing is left of it.
// - One pass that rescales what was summed when a larger element comes (BLAS's nrm2): a sum s of
//   squares over a², s = 1 + s·(a/b)² where b is larger, else s + (b/a)². The first square is 1 and
//   has the most to go through, n - 1 elements; another enters with 4 roundings (its quotient,
//   squared, its square, the addition) and one element less to go. k = 5(n - 1) + 4: for each
//   element
//     2      the quotient a/b, squared,
//     1      its square,
//     1      the product with s,
//     1      the addition,
//   and at last
//     2      the root,
//     2      the product with a.
// - A chain of n - 1 hypots of one unit in the last place, 2u at most: (1±2u)² each, which lies
//   within (1±v)^5. k = 5(n - 1). Where the norm is subnormal each may be off by eta instead, which
//   each that follows makes (1+v)^3 of. On the way to a normal norm N an eta is no more than 2u:
//   (h + eta)² <= h² + (4u + 4u²)·N² for h <= N.
// The sum of the scaled squares is at least (1-v)^5, that of the largest, so that quotients,
// squares and products that underflow take away 2n·eta of it at most, or 3n·2^emin where they are
// flushed: less than the n·v²/3 by which growth_bound(k) exceeds (1+v)^k - 1, and k·v, from k = 9
// on. Here flushing also takes away subnormal elements.
//
// Other p: power_norm.hpp.
Norm norm_of(std::span<const GradientSets> tensors, const Policy& policy, NormOrder order = {},
             Exponents exponents = Exponents::of_the_format);

}  // namespace ampcheck::reference
