#include "reference/accumulation.hpp"

#include <algorithm>
#include <limits>

#include "reference/error_bounds.hpp"
#include "reference/scaling.hpp"

namespace ampcheck::reference {

void Sum::add(const Admissible& given) {
  const Admissible term = given.format() == *format_ ? given : given.converted(*format_);
  if (term.is_single() && !format_->is_finite(term.single())) {
    ++count_;
    (format_->is_negative(term.single()) ? minus_infinity_ : plus_infinity_) = true;
    return;
  }
  if (!term.may_be_finite()) {
    ++count_;
    const bool only_nan = !term.has_ends() && !term.contains(format_->infinity());
    (only_nan ? nan_ : non_finite_) = true;
    return;
  }
  if (term.may_be_non_finite()) may_be_non_finite_ = true;
  const Rational low = value_or_largest(term.lowest(), *format_);
  const Rational high = value_or_largest(term.highest(), *format_);
  // Of an interval, the last place of the number in it that is nearest to zero.
  int trailing = format_->min_quantum();
  if (low == high)
    trailing = low.trailing_exponent();
  else if (low.sign() * high.sign() > 0)
    trailing = std::max(trailing, min(low.abs(), high.abs()).floor_log2() - format_->fraction_bits);
  add_between(low, high, trailing);
}

void Sum::add_product(const Rational& low, const Rational& high, Products products) {
  const Admissible rounded = Admissible::enclosing(*format_, low, high);
  if (products == Products::rounded || (low == high && is_representable(low, *format_))) {
    const std::size_t subnormal = subnormal_, non_zero = non_zero_;
    add(rounded);
    // What lies below the smallest normal number may be flushed before it is rounded up to that.
    // What is rounded to zero has nothing to lose.
    const Rational smallest = smallest_normal(*format_);
    if (subnormal_ == subnormal && non_zero_ > non_zero && min(low.abs(), high.abs()) < smallest) {
      ++subnormal_;
      subnormals_ += smallest;
    }
    return;
  }
  const int trailing = low == high ? low.trailing_exponent() : std::numeric_limits<int>::min();
  Rational least = low, most = high;
  // What is rounded to infinity is so far up that the sum may overflow in any case.
  if (products == Products::any)
    for (const Rational& end : {low, high}) {
      const std::uint64_t nearest = round_to(end, *format_);
      if (!format_->is_finite(nearest)) continue;
      least = min(least, value_of(nearest, *format_));
      most = max(most, value_of(nearest, *format_));
    }
  ++unrounded_;
  if (trailing < format_->min_quantum()) ++below_quantum_;
  add_between(least, most, trailing);
}

void Sum::add_between(const Rational& low, const Rational& high, int trailing) {
  ++count_;
  if (low.is_zero() && high.is_zero()) return;
  ++non_zero_;
  low_ += low;
  high_ += high;
  positive_ += max(high, 0);
  negative_ -= min(low, 0);
  const Rational least = max(max(low, -high), 0);
  const Rational smallest = smallest_normal(*format_);
  if (least < smallest) {
    ++subnormal_;
    subnormals_ += min(max(low.abs(), high.abs()), smallest);
  }
  quantum_ = has_quantum_ ? std::min(quantum_, trailing) : trailing;
  has_quantum_ = true;
}

bool Sum::no_addition_rounds() const {
  return !has_quantum_ ||
         (quantum_ >= format_->min_quantum() &&
          positive_ + negative_ <= Rational::power_of_two(quantum_ + format_->precision()));
}

// What is lost lies on one side of zero for each sign of what is flushed, and is no more than the
// terms must have had there: one that may be zero already has nothing to lose at that end.
void Sum::flush(Admissible& result, const Rational& low, const Rational& high) const {
  const NumberFormat& f = *format_;
  if (non_zero_ < 2) {
    if (subnormal_ != 0) result.add(0);
    return;
  }
  // A partial sum of normal terms is subnormal only where terms cancel below the smallest normal
  // number.
  const bool may_cancel =
      positive_.sign() > 0 && negative_.sign() > 0 && quantum_ < f.min_exponent();
  if (!may_cancel && subnormal_ == 0) return;
  const Rational events = smallest_normal(f) * static_cast<std::int64_t>(non_zero_);
  const Rational lost = may_cancel ? events : min(events, subnormals_);
  const Rational least = low - min(lost, low_ + negative_),
                 most = high + min(lost, positive_ - high_);
  result.add(Admissible::enclosing(f, negative_.is_zero() ? max(least, 0) : least,
                                   positive_.is_zero() ? min(most, 0) : most));
}

Admissible Sum::result(const Policy& policy) const {
  const NumberFormat& f = *format_;
  if (nan_ || (plus_infinity_ && minus_infinity_)) return Admissible::nan(f);
  const Rational magnitudes = positive_ + negative_;
  const bool exact = no_addition_rounds();
  const auto bound = [&](std::size_t terms) {
    return unrounded_ == 0 ? summation_bound(terms, f) : growth_bound(terms - 1, f);
  };
  Rational underflow;
  if (below_quantum_ != 0)
    underflow = Rational::power_of_two(f.min_quantum() - 1) *
                static_cast<std::int64_t>(below_quantum_) *
                (Rational(1) + growth_bound(non_zero_ - 1, f));
  bool may_overflow = false;
  if (non_zero_ > 1) {
    const Rational larger = exact ? Rational(1) : Rational(1) + bound(non_zero_ - 1);
    may_overflow = max(positive_, negative_) * larger + underflow >= overflow_threshold(f);
  }
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
  // One addition is the rounding of its exact result.
  const Rational error =
      exact || non_zero_ < 3 ? Rational(0) : magnitudes * bound(non_zero_) + underflow;
  // No sum of terms of one sign has the other.
  const Rational low = negative_.is_zero() ? max(low_ - error, 0) : low_ - error;
  const Rational high = positive_.is_zero() ? min(high_ + error, 0) : high_ + error;
  Admissible result = Admissible::enclosing(f, low, high);
  if (may_overflow && !may_be_non_finite_ && f.has_infinity() && negative_.is_zero())
    result.add(f.infinity());
  else if (may_overflow && !may_be_non_finite_ && f.has_infinity() && positive_.is_zero())
    result.add(f.infinity() | f.sign_bit());
  else if (may_overflow || may_be_non_finite_)
    result.add_non_finite();
  if (policy.may_flush) flush(result, low, high);
  return result;
}

}  // namespace ampcheck::reference
