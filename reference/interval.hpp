// All numbers between two rationals, for a result of which no more is known.
#pragma once

#include <initializer_list>

#include "reference/rational.hpp"

namespace ampcheck::reference {

struct Interval {
  Rational low, high;  // low <= high

  Interval() = default;
  Interval(Rational x) : low(x), high(std::move(x)) {}  // NOLINT: a number is known exactly
  Interval(Rational from, Rational to) : low(std::move(from)), high(std::move(to)) {}

  bool is_point() const { return low == high; }
  // The largest magnitude.
  Rational magnitude() const { return max(low.abs(), high.abs()); }
  friend bool operator==(const Interval&, const Interval&) = default;
};

Interval operator+(const Interval&, const Interval&);
Interval operator-(const Interval&, const Interval&);
Interval operator*(const Interval&, const Interval&);
// Throws std::domain_error where the divisor is not positive throughout.
Interval operator/(const Interval&, const Interval&);

// The smallest interval that holds both.
Interval hull(const Interval&, const Interval&);
// The square root of what is not negative; what is, counts as 0. A point whose root is rational
// stays one; else each end is an integer of at least 128 bits times a power of two, one unit away
// from the root at most, outwards.
Interval square_root(const Interval&);

// The same where both ends have at most 256 bits; else each end is moved outwards to that many, so
// that a long run of steps does not grow its numbers.
Interval shortened(const Interval&);

}  // namespace ampcheck::reference
