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
  const Rational u = Rational::power_of_two(-f.precision());
  const auto additions = static_cast<std::int64_t>(terms - 1);
  const Rational linear = u * additions;
  if (additions > 64) return linear;  // the power only gets longer; the linear bound always holds
  const Rational one_plus_v = Rational(1) + u / (Rational(1) + u);
  Rational power(1);
  for (std::int64_t i = 0; i < additions; ++i) power *= one_plus_v;
  return min(linear, power - 1);
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
    nan_ = true;
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
  subnormal_ = subnormal_ || format_->is_subnormal(term.lowest()) ||
               format_->is_subnormal(term.highest());
  if (low != high) exact_terms_ = false;
  if (low.is_zero()) return;
  const int trailing = low.trailing_exponent();
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
      max(positive_, negative_) * (Rational(1) + Rational::power_of_two(-f.precision()) *
                                                     static_cast<std::int64_t>(count_)) >=
          overflow_threshold(f);
  if (plus_infinity_ || minus_infinity_) {
    Admissible result = Admissible::of(f, f.infinity() | (minus_infinity_ ? f.sign_bit() : 0));
    // A finite part that overflows the other way meets the infinity as NaN.
    if (may_overflow || may_be_non_finite_) result.add_non_finite();
    return result;
  }
  const bool no_addition_rounds =
      exact_terms_ && (!has_quantum_ || magnitudes <= Rational::power_of_two(quantum_ + f.precision()));
  Admissible result(f);
  if (no_addition_rounds || count_ < 2) {
    const std::uint64_t low = round_to(low_, f);
    result = exact_terms_ ? Admissible::of(f, low) : Admissible::between(f, low, round_to(high_, f));
  } else {
    const Rational error = magnitudes * summation_bound(count_, f);
    result = Admissible::between(f, round_to(low_ - error, f), round_to(high_ + error, f));
  }
  if (may_overflow || may_be_non_finite_) result.add_non_finite();
  if (policy.may_flush && (subnormal_ || f.is_subnormal(result.lowest()) || f.is_subnormal(result.highest()))) {
    // Each operand and each partial sum may lose what is below the smallest normal number.
    const Rational flushed =
        Rational::power_of_two(f.min_exponent()) * static_cast<std::int64_t>(2 * count_);
    result.add(Admissible::between(f, round_to(low_ - flushed, f), round_to(high_ + flushed, f)));
  }
  return result;
}

}  // namespace ampcheck::reference
