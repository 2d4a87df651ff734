// The fast path's numbers: decoded, multiplied, divided, added and rounded on integers of 64 and
// 128 bits.
//
// The exact path (rounding.hpp) answers everything; this one answers the same for signed formats
// that have a zero, a few hundred times as fast, so that all patterns of a format can be judged.
// The two share the table of formats and no code, and tests hold them to the same answers.
// Everything is rounded to nearest, ties to even.
//
// Bits below the last that is kept are remembered as one: the last bit is set where any of them was
// ("jamming", as in Hauser's Berkeley SoftFloat 3, softfloat_shiftRightJam64). 63 bits are ten more
// than the longest significand, so that this never makes or breaks a tie.
#pragma once

#include <bit>
#include <cstdint>

#include "reference/rounding.hpp"

namespace ampcheck::reference::fast {

__extension__ typedef unsigned __int128 Uint128;  // a GNU extension, which -Wpedantic names

// True where the fast path knows the format: all but float8_e8m0fnu, which has neither sign nor
// zero.
constexpr bool is_supported(const NumberFormat& f) { return f.is_signed && f.has_zero; }
// True where it judges patterns of the format: where what is beyond the range has a pattern, and
// the integers are long enough.
constexpr bool is_judged(const NumberFormat& f) {
  return is_supported(f) && f.has_nan() && f.width <= 32;
}

// What rounding asks of a format, worked out once. `Format` of a format that is not supported
// throws std::invalid_argument.
struct Format {
  explicit Format(const NumberFormat& format);

  const NumberFormat* format;
  int fraction_bits;
  int min_exponent;
  int min_quantum;
  int dropped;  // bits of a normal number's 63 that its format has no room for
  std::uint64_t sign_bit, magnitude_mask, max_finite;
  std::uint64_t beyond;         // what a magnitude above max_finite becomes
  std::uint64_t last_number;    // the largest magnitude that is not NaN
  std::uint64_t nan;            // stands for every NaN; 0 where there is none
  std::uint64_t negative_zero;  // 0 where there is none

  // One pattern for each value: all NaNs are one, and so are the two zeros, as in Admissible.
  std::uint64_t canonical(std::uint64_t bits) const {
    if ((bits & magnitude_mask) > last_number) return nan;
    return bits == negative_zero ? 0 : bits;
  }
};

// ±significand·2^(exponent - 62) with 2^62 <= significand < 2^63, the last bit jammed. Zero has the
// significand 0 and an exponent below that of every other number.
struct Unrounded {
  std::uint64_t significand = 0;
  int exponent = -(1 << 20);
  bool negative = false;

  bool is_zero() const { return significand == 0; }
};

// The same with 2^125 <= significand < 2^126: room for the product of any two, and never jammed.
struct WideProduct {
  Uint128 significand = 0;
  int exponent = -(1 << 20);
  bool negative = false;
};

// The value of a finite pattern.
inline Unrounded decode(std::uint64_t bits, const Format& f) {
  const std::uint64_t magnitude = bits & f.magnitude_mask;
  const auto field = static_cast<int>(magnitude >> f.fraction_bits);
  const std::uint64_t hidden = std::uint64_t{1} << f.fraction_bits;
  if (field != 0) [[likely]]
    return {((magnitude & (hidden - 1)) | hidden) << f.dropped, field - 1 + f.min_exponent,
            (bits & f.sign_bit) != 0};
  if (magnitude == 0) return {0, -(1 << 20), (bits & f.sign_bit) != 0};
  const int shift = std::countl_zero(magnitude) - 1;
  return {magnitude << shift, f.min_quantum + 62 - shift, (bits & f.sign_bit) != 0};
}

// The units in the last place, at x = significand·2^(exponent - 62), that RN(x) comes to.
struct Kept {
  std::uint64_t units = 0;
  std::uint64_t number = 0;  // the magnitude as a pattern, if it is no larger than max_finite
  int dropped = 0;           // bits of the significand below a unit
};

inline Kept kept_of(std::uint64_t significand, int exponent, const Format& f) {
  const int below = exponent < f.min_exponent ? f.min_exponent - exponent : 0;
  const int dropped = f.dropped + below;
  if (dropped > 63) return {};  // below half of the smallest number
  const std::uint64_t almost_half = (std::uint64_t{1} << (dropped - 1)) - 1;
  const std::uint64_t odd = (significand >> dropped) & 1;
  const std::uint64_t units = (significand + almost_half + odd) >> dropped;
  // The hidden bit of a normal number adds one to the exponent field, and so does a carry.
  return {
      units,
      units + (static_cast<std::uint64_t>(exponent + below - f.min_exponent) << f.fraction_bits),
      dropped};
}

// The magnitude, as a pattern, of significand·2^(exponent - 62): f.beyond where it is too large.
inline std::uint64_t rounded_magnitude(std::uint64_t significand, int exponent, const Format& f) {
  const std::uint64_t number = kept_of(significand, exponent, f).number;
  return number > f.max_finite ? f.beyond : number;
}

// RN(x), with the sign of x also where it is zero and the format has such a zero.
inline std::uint64_t rounded(const Unrounded& x, const Format& f) {
  const std::uint64_t magnitude = rounded_magnitude(x.significand, x.exponent, f);
  if (!x.negative) return magnitude;
  return magnitude == 0 ? f.negative_zero : magnitude | f.sign_bit;
}

// RN(x) as a number again. False where it is too large for the format.
inline bool round_in_place(std::uint64_t& significand, int& exponent, const Format& f) {
  const Kept kept = kept_of(significand, exponent, f);
  if (kept.units == 0) {
    significand = 0;
    exponent = -(1 << 20);
    return true;
  }
  // units·2^dropped is 2^63 after a carry.
  const bool carried = (kept.units >> (63 - kept.dropped)) != 0;
  significand = carried ? std::uint64_t{1} << 62 : kept.units << kept.dropped;
  exponent += carried ? 1 : 0;
  return kept.number <= f.max_finite;
}

// 63 bits of a longer number, the rest jammed. `exponent` is that of bit 125.
inline Unrounded jammed(Uint128 significand, int exponent, bool negative) {
  if (significand == 0) return {0, -(1 << 20), negative};
  const auto high = static_cast<std::uint64_t>(significand >> 64);
  const int zeros = high != 0 ? std::countl_zero(high)
                              : 64 + std::countl_zero(static_cast<std::uint64_t>(significand));
  significand <<= zeros;
  const auto top = static_cast<std::uint64_t>(significand >> 65);
  const bool more = significand << 63 != 0;
  return {top | (more ? 1 : 0), exponent + 2 - zeros, negative};
}

inline WideProduct widened(const Unrounded& x) {
  return {Uint128{x.significand} << 63, x.exponent, x.negative};
}

inline WideProduct wide_product(const Unrounded& a, const Unrounded& b) {
  const bool negative = a.negative != b.negative;
  if (a.is_zero() || b.is_zero()) return {0, -(1 << 20), negative};
  const Uint128 product = Uint128{a.significand} * b.significand;  // 2^124 <= product < 2^126
  const int carry = static_cast<int>(product >> 125);
  return {product << (1 - carry), a.exponent + b.exponent + carry, negative};
}

// a·b, a/b (b not zero), a + b and a·b + c of numbers that are not jammed. An exact zero that two
// numbers cancel to is +0 (IEEE 754-2019, 6.3).
inline Unrounded product(const Unrounded& a, const Unrounded& b) {
  const WideProduct wide = wide_product(a, b);
  return jammed(wide.significand, wide.exponent, wide.negative);
}
Unrounded quotient(const Unrounded& a, const Unrounded& b);
Unrounded sum(const WideProduct& a, const WideProduct& b);
inline Unrounded sum(const Unrounded& a, const Unrounded& b) { return sum(widened(a), widened(b)); }
inline Unrounded fused(const Unrounded& a, const Unrounded& b, const Unrounded& c) {
  return sum(wide_product(a, b), widened(c));
}
// √(significand·2^exponent), significand < 2^127.
Unrounded square_root(Uint128 significand, int exponent);

// The same number in another format, as convert() of rounding.hpp gives it, with one pattern for
// all NaNs of a sign. Throws NotRepresentable for NaN where the format has none.
std::uint64_t converted(std::uint64_t bits, const Format& from, const Format& to);

}  // namespace ampcheck::reference::fast
