// Dot products, of which matrix multiplications, the squares of a norm and weighted sums are made.
#pragma once

#include <span>

#include "reference/accumulation.hpp"
#include "reference/admissible.hpp"
#include "reference/policy.hpp"

namespace ampcheck::reference {

// Σ a[i]·b[i] in the accumulator's format, in any order and association. a and b have the same
// length (else std::invalid_argument) and any formats, element by element; `products` says how they
// enter the additions. All arithmetic is rounded to nearest in the accumulator's format; there is
// no narrowing between, nor after.
//
// The set is that of the sum of the products (accumulation.hpp), and holds the exact value rounded
// once:
// - One pattern where all products are multiples of 2^e, 2^e is a number of the accumulator and the
//   magnitudes add up to 2^p·2^e at most, and for one product; one or two for two products that are
//   rounded or exact.
// - Rounded: the products are known floats, so that only the additions are left open: Σ RN(a·b)
//   ± summation_bound(n)·Σ|RN(a·b)|. (The bound n·u·Σ|a·b| of Jeannerod and Rump 2013 about the
//   exact value holds besides, and is wider.)
// - Exact: Σ a·b ± growth_bound(n-1)·Σ|a·b|, and eta/2 for each product that is no multiple of eta,
//   as it may be in an addition that comes out subnormal.
// - Any (fused multiply-adds in some places or all): as for exact ones, where each product lies
//   between a·b and RN(a·b).
// - Beyond the overflow threshold as for sums. A product that overflows by itself is inf where
//   products are rounded.
// inf and NaN among the factors give what IEEE 754 has for them: inf·0 is NaN, and so is the sum of
// inf and -inf.
//
// Not covered: accumulation in blocks of which each is truncated or aligned to its largest term
// (as the tensor cores of several GPU generations do, with fewer bits than binary32), and
// Strassen's and Winograd's algorithms.
Admissible dot_product(std::span<const Number> a, std::span<const Number> b,
                       const NumberFormat& accumulator, Products products,
                       const Policy& policy = {});

}  // namespace ampcheck::reference
