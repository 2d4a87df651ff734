// Exact rational numbers.
//
// A thin value type over boost::multiprecision::mpq_rational that keeps Boost out of this header: the
// number lives in storage of the right size, and only rational.cpp and rounding.cpp know what is in it
// (rational_boost.hpp).
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>

namespace ampcheck::reference {

class Rational {
 public:
  Rational();
  Rational(std::int64_t integer);  // NOLINT: integers are rationals
  Rational(const Rational&);
  Rational(Rational&&) noexcept;
  Rational& operator=(const Rational&);
  Rational& operator=(Rational&&) noexcept;
  ~Rational();

  static Rational power_of_two(int exponent);
  static Rational from_unsigned(std::uint64_t integer);

  Rational& operator+=(const Rational&);
  Rational& operator-=(const Rational&);
  Rational& operator*=(const Rational&);
  // Throws std::domain_error for a zero divisor.
  Rational& operator/=(const Rational&);

  friend Rational operator+(Rational a, const Rational& b) { return a += b; }
  friend Rational operator-(Rational a, const Rational& b) { return a -= b; }
  friend Rational operator*(Rational a, const Rational& b) { return a *= b; }
  friend Rational operator/(Rational a, const Rational& b) { return a /= b; }
  Rational operator-() const;

  // -1, 0 or 1.
  int sign() const;
  Rational abs() const { return sign() < 0 ? -*this : *this; }
  bool is_zero() const { return sign() == 0; }
  // Largest e with 2^e <= |x|. Requires x != 0.
  int floor_log2() const;
  // True where x = 2^k for some integer k.
  bool is_power_of_two() const;
  // Largest e such that x is a multiple of 2^e. Requires x != 0 and a denominator that is a power of two.
  int trailing_exponent() const;
  bool is_dyadic() const;
  // True where x is the square of a rational; then *root is the one that is not negative.
  bool is_square(Rational* root) const;
  // "33/16".
  std::string to_string() const;

  friend bool operator==(const Rational&, const Rational&);
  friend std::strong_ordering operator<=>(const Rational&, const Rational&);

 private:
  friend struct RationalAccess;
  alignas(8) std::byte storage_[32];
};

Rational min(const Rational&, const Rational&);
Rational max(const Rational&, const Rational&);

}  // namespace ampcheck::reference
