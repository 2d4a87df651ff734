// The bounds of error_bounds.hpp as fractions of integers, and the rounding of what they make of a
// sum.
#pragma once

#include <cstdint>

#include "reference/fast_aligned.hpp"

namespace ampcheck::reference::fast {

__extension__ typedef __int128 Int128;

struct Fraction {
  Uint128 numerator, denominator;
};

// At least (1+v)^k - 1 for v = u/(1+u) = 1/d, d = 2^p + 1: itself for k <= 2, else x + x²/(2 -
// 2x/3) with x = k/d, which is k·(6d + k)/(2d·(3d - k)). Only for x < 2 (from there on error_bounds
// takes powers of two). Both are integers of at most 52 bits for p <= 24 and k < 2^20.
inline Fraction growth_bound(std::int64_t roundings, int precision) {
  const auto k = static_cast<Uint128>(roundings);
  const Uint128 d = (Uint128{1} << precision) + 1;
  if (k == 0) return {0, 1};
  if (k == 1) return {1, d};
  if (k == 2) return {2 * d + 1, d * d};
  return {k * (6 * d + k), 2 * d * (3 * d - k)};
}

// (1+v)^(n-1) - 1 for n <= 3 terms, else (n-1)·u. For n = 4 the power would be less still, by
// 2·u³ or so, and error_bounds.hpp does not ask for it: only the same bound gives the same sets.
inline Fraction summation_bound(std::int64_t terms, int precision) {
  if (terms < 2) return {0, 1};
  if (terms <= 3) return growth_bound(terms - 1, precision);
  return {static_cast<Uint128>(terms - 1), Uint128{1} << precision};
}

// RN(numerator/denominator·2^unit), for denominators of at most 52 bits and formats of at most 24:
// the quotient has 75 bits.
inline std::uint64_t rounded_fraction(Int128 numerator, Uint128 denominator, int unit,
                                      const Format& f) {
  if (numerator == 0) return 0;
  const bool negative = numerator < 0;
  Uint128 dividend = negative ? -static_cast<Uint128>(numerator) : static_cast<Uint128>(numerator);
  const int shift = 127 - length(dividend);
  dividend <<= shift;
  const Uint128 whole = dividend / denominator;
  const bool more = dividend % denominator != 0;
  return rounded(jammed(whole << 1 | (more ? 1 : 0), 124 + unit - shift, negative), f);
}

}  // namespace ampcheck::reference::fast
