// Norms of p other than 2: sums of magnitudes, roots of sums of powers, and the largest magnitude.
#pragma once

#include "reference/magnitude.hpp"
#include "reference/policy.hpp"

namespace ampcheck::reference {

// The largest of all, which no operation rounds.
Admissible largest_magnitude(const Magnitudes& terms, const NumberFormat& output,
                             const Policy& policy);

// The p-norm of one sum, rounded to the format in which it was summed and then to another.
//
// - p = 1: the sum of magnitudes, of accumulation.hpp.
// - p >= 3: each power within 1±r of |x|^p, those summed, and of the sum s the root within 1±r' of
//   s^(1/p). r is that of p - 1 products, or of a library's pow: of four units in the last place at
//   most (the CUDA C++ Programming Guide's bound of powf; glibc's is below one), 8u < 9v. r' is
//   that of another pow and of its exponent 1/p, rounded: v/p at most, by which s^(1/p) comes out
//   e^(v/p·|ln s|) too large or small, and |ln s| <= 0.7·|log2 s|.
//   Powers that may be subnormal are anything from 0 to twice the smallest normal number.
//   Of elements that are divided by the largest first, a power takes 2p roundings more (of the
//   reciprocal and of the product), and the root one. Such a norm does not overflow with its
//   powers; nothing is said of it where others do.
Admissible power_norm(const Magnitudes& terms, int p, const NumberFormat& accumulator,
                      const NumberFormat& output, const Policy& policy);

}  // namespace ampcheck::reference
