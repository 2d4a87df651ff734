// A number of which only one thing is asked: how it compares with a rational.
//
// Two kinds (real.hpp has others): a rational, and a quadratic irrational a + b·√q, which norms
// bring in. Comparison never approximates: a + b·√q > 0 is decided by signs and, where a and b
// differ in sign, by comparing a² with b²·q. It therefore always terminates.
#pragma once

#include <string>

#include "reference/rational.hpp"

namespace ampcheck::reference {

class Exact {
 public:
  Exact() = default;
  Exact(Rational value) : a_(std::move(value)) {}  // NOLINT: rationals are exact
  Exact(std::int64_t value) : a_(value) {}         // NOLINT

  // √q. Throws std::domain_error for q < 0. A perfect square gives a rational.
  static Exact square_root(const Rational& q);

  bool is_rational() const { return b_.is_zero(); }
  // The parts of a + b·√q; q is 0 for a rational.
  const Rational& rational_part() const { return a_; }
  const Rational& coefficient() const { return b_; }
  const Rational& radicand() const { return q_; }

  // Arithmetic stays inside one field: both operands have the same radicand, or one of them is
  // rational. Else std::domain_error, as for a division by zero.
  friend Exact operator+(const Exact&, const Exact&);
  friend Exact operator-(const Exact&, const Exact&);
  friend Exact operator*(const Exact&, const Exact&);
  friend Exact operator/(const Exact&, const Exact&);
  Exact operator-() const;

  int sign() const;
  Exact abs() const { return sign() < 0 ? -*this : *this; }
  friend std::strong_ordering operator<=>(const Exact& a, const Exact& b) {
    return (a - b).sign() <=> 0;
  }
  friend bool operator==(const Exact& a, const Exact& b) { return (a - b).sign() == 0; }

  // "33/16" or "3/5 + 1/2·√7".
  std::string to_string() const;

 private:
  Exact(Rational a, Rational b, const Rational& q);

  Rational a_, b_, q_;
};

}  // namespace ampcheck::reference
