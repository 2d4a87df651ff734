#include "reference/fast_sum.hpp"

#include <stdexcept>
#include <string>

namespace ampcheck::reference::fast {
namespace {

__extension__ typedef __int128 Int128;

constexpr int kMostBits = 126;

// a·2^x >= b·2^y, both below 2^127 and not zero.
bool at_least(Uint128 a, int x, Uint128 b, int y) {
  const int top_a = length(a) + x, top_b = length(b) + y;
  if (top_a != top_b) return top_a > top_b;
  return (a << (128 - length(a))) >= (b << (128 - length(b)));
}

// RN(numerator/denominator·2^unit), for at least 50 bits of a quotient and formats of at most 24.
std::uint64_t rounded_fraction(Int128 numerator, Uint128 denominator, int unit, const Format& f) {
  if (numerator == 0) return 0;
  const bool negative = numerator < 0;
  Uint128 dividend = negative ? -static_cast<Uint128>(numerator) : static_cast<Uint128>(numerator);
  const int shift = 127 - length(dividend);
  dividend <<= shift;
  const Uint128 whole = dividend / denominator;
  const bool more = dividend % denominator != 0;
  return rounded(jammed(whole << 1 | (more ? 1 : 0), 124 + unit - shift, negative), f);
}

// min((n-1)·u, (1+v)^(n-1) - 1), v = u/(1+u), as a fraction. (1+v)^k - 1 is below k·u up to k = 3
// and above it from 4 on, for every precision from 2 bits on.
struct Fraction {
  Uint128 numerator, denominator;
};
Fraction summation_bound(std::int64_t additions, int precision) {
  const Uint128 one_over_u = Uint128{1} << precision;
  if (additions > 3) return {static_cast<Uint128>(additions), one_over_u};
  Uint128 above = 1, below = 1;
  for (std::int64_t i = 0; i < additions; ++i) {
    above *= one_over_u + 2;
    below *= one_over_u + 1;
  }
  return {above - below, below};
}

// Admissible::enclosing of the numbers between two that are given by their roundings.
Range enclosing(std::uint64_t low, std::uint64_t high, bool same_sign, const Format& f) {
  const auto is_nan = [&](std::uint64_t bits) { return f.format->is_nan(bits); };
  Range result;
  result.nan = is_nan(low) || is_nan(high);
  if (is_nan(low) && is_nan(high) && same_sign) return result;
  // Where the format has no infinity the largest number ends the interval. Not both ends lie beyond
  // the same one.
  if (is_nan(low)) low = f.max_finite | f.sign_bit;
  if (is_nan(high)) high = f.max_finite;
  result.add(low, f);
  result.add(high, f);
  return result;
}

}  // namespace

Sum::Sum(const NumberFormat& accumulator) : format_(accumulator) {
  if (accumulator.width > 32 || !accumulator.has_nan())
    throw std::invalid_argument("fast sums do not know " + std::string(accumulator.name));
}

void Sum::add(std::uint64_t given, const Format& f) {
  const std::uint64_t bits = converted(given, f, format_);
  ++count_;
  const NumberFormat& own = *format_.format;
  if (own.is_nan(bits)) {
    nan_ = true;
  } else if (own.is_infinite(bits)) {
    (own.is_negative(bits) ? minus_infinity_ : plus_infinity_) = true;
  } else if (!own.is_zero(bits)) {
    const Unrounded x = decode(bits, format_);
    const int zeros = std::countr_zero(x.significand);
    (x.negative ? negative_ : positive_).add(x.significand >> zeros, x.exponent - 62 + zeros);
  }
}

bool Sum::may_overflow(const Aligned& positive, const Aligned& negative) const {
  const NumberFormat& f = *format_.format;
  const Uint128 magnitudes = positive.total() + negative.total();
  if (count_ < 2 || magnitudes == 0) return false;
  if (length(magnitudes) - 1 + positive.unit() < f.max_exponent() - 1) return false;
  // max(P, M)·(1 + n·u) against half way above the largest number.
  const Uint128 larger = std::max(positive.total(), negative.total());
  const Uint128 grown = larger * ((Uint128{1} << f.precision()) + static_cast<Uint128>(count_));
  const Unrounded last = decode(f.max_finite(), format_);
  const int dropped = 62 - f.fraction_bits;
  const Uint128 threshold = Uint128{last.significand >> dropped} * 2 + 1;
  return at_least(grown, positive.unit() - f.precision(), threshold,
                  last.exponent - f.fraction_bits - 1);
}

std::optional<Range> Sum::result(const Policy& policy) const {
  if (policy.may_flush || count_ >= 1 << 24) return {};
  const NumberFormat& f = *format_.format;
  Range result;
  if (nan_ || (plus_infinity_ && minus_infinity_)) {
    result.nan = true;
    return result;
  }
  Aligned positive = positive_, negative = negative_;
  const int unit = positive.is_zero()   ? negative.unit()
                   : negative.is_zero() ? positive.unit()
                                        : std::min(positive.unit(), negative.unit());
  positive.align(unit);
  negative.align(unit);
  if (!positive.fits() || !negative.fits()) return {};
  const bool overflows = may_overflow(positive, negative);
  if (plus_infinity_ || minus_infinity_) {
    result.add(f.infinity() | (minus_infinity_ ? f.sign_bit() : 0), format_);
    if (overflows) result.add_non_finite(format_);
    return result;
  }
  const Uint128 magnitudes = positive.total() + negative.total();
  const bool exact = count_ < 2 || magnitudes <= Uint128{1} << f.precision();
  const auto bound = exact ? Fraction{0, 1} : summation_bound(count_ - 1, f.precision());
  if (length(magnitudes) + std::max(length(bound.numerator), length(bound.denominator)) + 1 >
      kMostBits)
    return {};
  const auto sum = static_cast<Int128>(positive.total()) - static_cast<Int128>(negative.total());
  const Int128 scaled = sum * static_cast<Int128>(bound.denominator);
  const auto error = static_cast<Int128>(magnitudes * bound.numerator);
  const Int128 low = scaled - error, high = scaled + error;
  result = enclosing(rounded_fraction(low, bound.denominator, unit, format_),
                     rounded_fraction(high, bound.denominator, unit, format_),
                     (low < 0) == (high < 0), format_);
  if (overflows) result.add_non_finite(format_);
  return result;
}

}  // namespace ampcheck::reference::fast
