#include "reference/accumulation.hpp"

#include <algorithm>

#include "reference/scaling.hpp"

namespace ampcheck::reference {
namespace {

// The smallest magnitude that rounds to infinity: half way above the largest finite number.
Rational overflow_threshold(const NumberFormat& f) {
  return value_of(f.max_finite(), f) +
         Rational::power_of_two(f.max_exponent() - f.fraction_bits - 1);
}

// min((n-1)·u, (1+v)^(n-1) - 1), v = u/(1+u).
Rational summation_bound(std::size_t terms, const NumberFormat& f) {
  if (terms < 2) return 0;
  const Rational u = unit_roundoff(f);
  const auto additions = static_cast<std::int64_t>(terms - 1);
  const Rational linear = u * additions;
  if (additions > 64) return linear;  // the power only gets longer; the linear bound always holds
  const Rational one_plus_v = Rational(1) + u / (Rational(1) + u);
  Rational power(1);
  for (std::int64_t i = 0; i < additions; ++i) power *= one_plus_v;
  return min(linear, power - 1);
}

// At least (1+v)^(n-1), which is below e^(n·u) < 2^(2·n·u).
Rational growth(std::size_t terms, const NumberFormat& f) {
  const Rational u = unit_roundoff(f);
  // (1+v)^k <= 1/(1-k·u), and that is at most 1 + 2·k·u as long as k·u is at most 1/2.
  const Rational relative = u * static_cast<std::int64_t>(terms) * 2;
  if (relative <= Rational(1)) return Rational(1) + relative;
  return Rational::power_of_two(static_cast<int>(terms >> (f.precision() - 1)) + 1);
}

}  // namespace

void Sum::add(const Admissible& given) {
  Admissible term(*format_);
  if (given.format() == *format_)
    term = given;
  else
    term = given.map(*format_, [&](std::uint64_t bits) {
      return Admissible::of(*format_, convert({&given.format(), bits}, *format_));
    });
  ++count_;
  if (term.is_single() && !format_->is_finite(term.single())) {
    (format_->is_negative(term.single()) ? minus_infinity_ : plus_infinity_) = true;
    return;
  }
  if (!term.may_be_finite()) {
    const bool only_nan = !term.has_ends() && !term.contains(format_->infinity());
    (only_nan ? nan_ : non_finite_) = true;
    return;
  }
  if (term.may_be_non_finite()) may_be_non_finite_ = true;
  const auto clamp = [&](std::uint64_t bits) {
    if (format_->is_finite(bits)) return bits;
    return format_->max_finite() | (bits & format_->sign_bit());
  };
  const Rational low = value_of(clamp(term.lowest()), *format_);
  const Rational high = value_of(clamp(term.highest()), *format_);
  low_ += low;
  high_ += high;
  if (high.sign() > 0) positive_ += high;
  if (low.sign() < 0) negative_ -= low;
  subnormal_ =
      subnormal_ || format_->is_subnormal(term.lowest()) || format_->is_subnormal(term.highest());
  if (low != high) exact_terms_ = false;
  if (low.is_zero() && high.is_zero()) return;
  // Of an interval, the last place of the number in it that is nearest to zero.
  const int trailing =
      low == high ? low.trailing_exponent()
      : low.sign() * high.sign() <= 0
          ? format_->min_quantum()
          : std::max(min(low.abs(), high.abs()).floor_log2() - format_->fraction_bits,
                     format_->min_quantum());
  quantum_ = has_quantum_ ? std::min(quantum_, trailing) : trailing;
  has_quantum_ = true;
}

Admissible Sum::result(const Policy& policy) const {
  const NumberFormat& f = *format_;
  if (nan_ || (plus_infinity_ && minus_infinity_)) return Admissible::nan(f);
  const Rational magnitudes = positive_ + negative_;
  // A single term, or terms so far below the threshold that no partial sum can reach it.
  const bool may_overflow =
      count_ > 1 && !magnitudes.is_zero() && magnitudes.floor_log2() >= f.max_exponent() - 1 &&
      max(positive_, negative_) *
              (Rational(1) + unit_roundoff(f) * static_cast<std::int64_t>(count_)) >=
          overflow_threshold(f);
  if (plus_infinity_ || minus_infinity_) {
    Admissible result = Admissible::of(f, f.infinity() | (minus_infinity_ ? f.sign_bit() : 0));
    // A finite part that overflows the other way meets the infinity as NaN.
    if (may_overflow || may_be_non_finite_ || non_finite_) result.add_non_finite();
    return result;
  }
  if (non_finite_) {
    Admissible result(f);
    result.add_non_finite();
    return result;
  }
  const bool no_addition_rounds =
      exact_terms_ &&
      (!has_quantum_ || magnitudes <= Rational::power_of_two(quantum_ + f.precision()));
  const Rational error =
      no_addition_rounds || count_ < 2 ? Rational(0) : magnitudes * summation_bound(count_, f);
  Admissible result = Admissible::enclosing(f, low_ - error, high_ + error);
  if (may_overflow || may_be_non_finite_) result.add_non_finite();
  // A partial sum of normal terms is subnormal only where terms cancel below the smallest normal
  // number.
  const bool may_cancel =
      positive_.sign() > 0 && negative_.sign() > 0 && has_quantum_ && quantum_ < f.min_exponent();
  if (policy.may_flush && (subnormal_ || may_cancel)) {
    const Rational lost = Rational::power_of_two(f.min_exponent()) *
                          static_cast<std::int64_t>(count_) * growth(count_, f);
    result.add(Admissible::enclosing(f, low_ - error - lost, high_ + error + lost));
  }
  return result;
}

}  // namespace ampcheck::reference
