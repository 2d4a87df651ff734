// What rounding errors may add up to: the few theorems on which every enclosure of a sum rests.
//
// Throughout, arithmetic is of one format with p bits of significand, rounded to nearest with any
// rule for ties, and nothing overflows. u = 2^-p is the unit roundoff, v = u/(1+u), eta the
// smallest subnormal number.
//
// One rounding: |RN(x) - x| <= v·|x| for a real x whose magnitude is at least the smallest normal
// number (Jeannerod and Rump, "On relative errors of floating-point operations: optimal bounds and
// applications", Mathematics of Computation 87, 2018; Knuth, TAOCP 2, section 4.2.2), and <= eta/2
// below. A sum of two floats that comes out subnormal is not rounded at all (Hauser, "Handling
// floating-point exceptions in numeric programs", ACM TOPLAS 18, 1996).
#pragma once

#include <cstddef>

#include "reference/number_format.hpp"
#include "reference/rational.hpp"

namespace ampcheck::reference {

// The smallest magnitude that rounds to infinity, or to what stands for it: half way above the
// largest finite number.
Rational overflow_threshold(const NumberFormat& f);

// 2^min_exponent, below which numbers are subnormal and flushing may make them zero.
inline Rational smallest_normal(const NumberFormat& f) {
  return Rational::power_of_two(f.min_exponent());
}

// v = u/(1+u) = 1/(2^p + 1).
Rational relative_error(const NumberFormat& f);

// At least (1+v)^k - 1, by which k roundings may enlarge a number: itself for k <= 2, else a bound
// of e^x - 1 with x = k·v, since 1+v <= e^v:
// - below x = 2, x + x²/(2 - 2x/3) = x + x²/2·Σ(x/3)^j. The series of e^x - 1 - x is
//   x²/2·Σ x^j·2/(j+2)!, and (j+2)!/2 = 3·4·…·(j+2) >= 3^j;
// - from there on 2^(3x/2), rounded up to a whole exponent, since 3/2·ln 2 is 1.04.
// k roundings may also make a number smaller, by no more than that: (1-v)^k >= 1 - k·v.
Rational growth_bound(std::size_t k, const NumberFormat& f);

// r such that a sum of n floats of the format differs from the exact one by at most r times the sum
// of their magnitudes, in any order and association: (n-1)·u for every n (Jeannerod and Rump,
// "Improved error bounds for inner products in floating-point arithmetic", SIAM Journal on Matrix
// Analysis and Applications 34, 2013), and (1+v)^(n-1) - 1, as each term goes through n-1 additions
// at most, where that is less: for n = 3 it is 2v + v² = 2u - u² + O(u³), for n = 4 it is
// 3u - 2u³ + O(u⁴), which is not worth its case, and for n = 5 it is 4u + 2u² + O(u³). The terms
// must be floats: of a term that is added unrounded, as a fused multiply-add does it, the first
// bound does not hold, the second does.
//
// The height h of the tree must not stand in for n-1: h·u fails from some height on, as
// counter_examples_test.cpp shows.
Rational summation_bound(std::size_t terms, const NumberFormat& f);

}  // namespace ampcheck::reference
