#include "reference/fast_rounding.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace ampcheck::reference::fast {

Format::Format(const NumberFormat& f)
    : format(&f),
      fraction_bits(f.fraction_bits),
      min_exponent(f.min_exponent()),
      min_quantum(f.min_quantum()),
      dropped(62 - f.fraction_bits),
      sign_bit(f.sign_bit()),
      magnitude_mask(f.magnitude_mask()),
      max_finite(f.max_finite()),
      beyond(f.has_infinity() ? f.infinity()
             : f.has_nan()    ? f.nan()
                              : f.max_finite()),
      last_number(f.has_infinity() ? f.infinity() : f.max_finite()),
      nan(f.has_nan() ? f.nan() : 0),
      negative_zero(f.has_negative_zero() ? f.sign_bit() : 0) {
  if (!is_supported(f))
    throw std::invalid_argument("the fast path does not know " + std::string(f.name));
}

Unrounded quotient(const Unrounded& a, const Unrounded& b) {
  const bool negative = a.negative != b.negative;
  const Uint128 dividend = Uint128{a.significand} << 63;
  const Uint128 whole = dividend / b.significand;  // of 63 or 64 bits, or zero
  const bool more = dividend % b.significand != 0;
  return jammed(whole << 1 | (more ? 1 : 0), a.exponent - b.exponent + 61, negative);
}

Unrounded sum(const WideProduct& first, const WideProduct& second) {
  const WideProduct *a = &first, *b = &second;
  if (std::pair(b->exponent, b->significand) > std::pair(a->exponent, a->significand))
    std::swap(a, b);
  // Of at most 106 bits the lower 20 are zero: bits are lost only where the exponents are further
  // apart than that, and then no more than one bit cancels.
  const int distance = std::min(a->exponent - b->exponent, 126);  // which no bit reaches
  Uint128 aligned = b->significand >> distance;
  if (aligned << distance != b->significand) aligned |= 1;
  if (a->negative == b->negative) return jammed(a->significand + aligned, a->exponent, a->negative);
  const Uint128 difference = a->significand - aligned;
  return jammed(difference, a->exponent, difference != 0 && a->negative);
}

Unrounded square_root(Uint128 n, int exponent) {
  if (n == 0) return {};
  while (n >> 125 == 0) n <<= 2, exponent -= 2;
  if (exponent % 2 != 0) n <<= 1, --exponent;
  // Digit by digit: root² <= n, and rest = n - root².
  Uint128 root = 0, rest = 0;
  for (int i = 0; i < 64; ++i) {
    rest = rest << 2 | n >> 126;
    n <<= 2;
    root <<= 1;
    const Uint128 trial = root << 1 | 1;
    if (rest >= trial) {
      rest -= trial;
      root |= 1;
    }
  }
  return jammed(root << 62 | (rest != 0 ? 1 : 0), exponent / 2 + 63, false);
}

std::uint64_t converted(std::uint64_t bits, const Format& from, const Format& to) {
  if (*from.format == *to.format) return bits;
  const bool negative = from.format->is_negative(bits);
  if (from.format->is_finite(bits)) return rounded(decode(bits, from), to);
  const std::uint64_t sign = negative ? to.sign_bit : 0;
  if (from.format->is_infinite(bits)) return sign | to.beyond;
  return sign | to.format->nan();
}

}  // namespace ampcheck::reference::fast
