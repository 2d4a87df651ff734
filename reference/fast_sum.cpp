#include "reference/fast_sum.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "reference/fast_error_bounds.hpp"

namespace ampcheck::reference::fast {
namespace {

// Of a product.
constexpr int kMostBits = 126;

// a·2^x >= b·2^y, both below 2^127 and not zero.
bool at_least(Uint128 a, int x, Uint128 b, int y) {
  const int top_a = length(a) + x, top_b = length(b) + y;
  return std::pair(top_a, a << (128 - length(a))) >= std::pair(top_b, b << (128 - length(b)));
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
  if (!is_judged(accumulator))
    throw std::invalid_argument("fast sums do not know " + std::string(accumulator.name));
}

void Sum::add(std::uint64_t given, const Format& f) {
  const std::uint64_t bits = converted(given, f, format_);
  const NumberFormat& own = *format_.format;
  if (own.is_nan(bits)) {
    nan_ = true;
  } else if (own.is_infinite(bits)) {
    (own.is_negative(bits) ? minus_infinity_ : plus_infinity_) = true;
  } else if (!own.is_zero(bits)) {
    ++non_zero_;
    const Unrounded x = decode(bits, format_);
    const int zeros = std::countr_zero(x.significand);
    (x.negative ? negative_ : positive_).add(x.significand >> zeros, x.exponent - 62 + zeros);
  }
}

std::optional<bool> Sum::may_overflow(Uint128 larger, int unit, const Fraction& bound) const {
  const NumberFormat& f = *format_.format;
  // 1 + bound is less than the number of terms.
  const int growth = length(static_cast<Uint128>(non_zero_));
  if (length(larger) + growth + unit <= f.max_exponent()) return false;
  // larger·(1 + bound) against half way above the largest number.
  const Uint128 grown = bound.denominator + bound.numerator;
  if (length(larger) + length(grown) > kMostBits) return {};
  const Unrounded last = decode(f.max_finite(), format_);
  const int dropped = 62 - f.fraction_bits;
  const Uint128 threshold = Uint128{last.significand >> dropped} * 2 + 1;
  return at_least(larger * grown, unit, threshold * bound.denominator,
                  last.exponent - f.fraction_bits - 1);
}

std::optional<Range> Sum::result(const Policy& policy) const {
  if (policy.may_flush) return {};
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
  const Uint128 magnitudes = positive.total() + negative.total();
  const bool exact = magnitudes <= Uint128{1} << f.precision();
  // Of a number on the way, and of the last. One addition is the rounding of its exact result.
  const Fraction none{0, 1};
  const Fraction before = exact ? none : summation_bound(non_zero_ - 1, f.precision());
  const Fraction bound = exact || non_zero_ < 3 ? none : summation_bound(non_zero_, f.precision());
  const std::optional<bool> overflows =
      may_overflow(std::max(positive.total(), negative.total()), unit, before);
  if (!overflows) return {};
  if (plus_infinity_ || minus_infinity_) {
    result.add(f.infinity() | (minus_infinity_ ? f.sign_bit() : 0), format_);
    if (*overflows) result.add_non_finite(format_);
    return result;
  }
  // No end is further from zero than magnitudes·(1 + bound).
  if (length(magnitudes) + length(bound.denominator + bound.numerator) > kMostBits) return {};
  const auto sum = static_cast<Int128>(positive.total()) - static_cast<Int128>(negative.total());
  const Int128 scaled = sum * static_cast<Int128>(bound.denominator);
  const auto error = static_cast<Int128>(magnitudes * bound.numerator);
  // No sum of terms of one sign has the other.
  const Int128 low = negative.is_zero() ? std::max(scaled - error, Int128{0}) : scaled - error;
  const Int128 high = positive.is_zero() ? std::min(scaled + error, Int128{0}) : scaled + error;
  result = enclosing(rounded_fraction(low, bound.denominator, unit, format_),
                     rounded_fraction(high, bound.denominator, unit, format_),
                     (low < 0) == (high < 0), format_);
  if (!*overflows) return result;
  // Terms of one sign overflow to their own infinity only.
  if (f.has_infinity() && negative.is_zero())
    result.add(f.infinity(), format_);
  else if (f.has_infinity() && positive.is_zero())
    result.add(f.infinity() | f.sign_bit(), format_);
  else
    result.add_non_finite(format_);
  return result;
}

}  // namespace ampcheck::reference::fast
