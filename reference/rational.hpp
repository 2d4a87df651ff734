// Exact rational numbers.
//
// Nearly every number here is a float, a product of two, or a short sum: an odd significand of up
// to 63 bits times a power of two. Such a number lies in the object itself; every other one is a
// boost::multiprecision::mpq_rational on the heap. The form follows from the value, so that equal
// numbers have equal forms. Boost stays out of this header: rational_boost.hpp has what
// rounding.cpp needs of it.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <utility>

namespace ampcheck::reference {

class Rational {
 public:
  Rational() = default;
  Rational(std::int64_t integer);  // NOLINT: integers are rationals
  Rational(const Rational& other)
      : small_(other.small_), big_(other.big_ ? copy(other.big_) : nullptr) {}
  Rational(Rational&& other) noexcept
      : small_(other.small_), big_(std::exchange(other.big_, nullptr)) {}
  Rational& operator=(const Rational& other) {
    if (this != &other) *this = Rational(other);
    return *this;
  }
  Rational& operator=(Rational&& other) noexcept {
    std::swap(small_, other.small_);
    std::swap(big_, other.big_);
    return *this;
  }
  ~Rational() {
    if (big_ != nullptr) destroy(big_);
  }

  static Rational power_of_two(int exponent) { return dyadic(1, exponent); }
  static Rational from_unsigned(std::uint64_t integer);
  // significand·2^exponent.
  static Rational dyadic(std::int64_t significand, int exponent);

  Rational& operator+=(const Rational&);
  Rational& operator-=(const Rational&);
  Rational& operator*=(const Rational&);
  // Throws std::domain_error for a zero divisor.
  Rational& operator/=(const Rational&);

  friend Rational operator+(Rational a, const Rational& b) { return std::move(a += b); }
  friend Rational operator-(Rational a, const Rational& b) { return std::move(a -= b); }
  friend Rational operator*(Rational a, const Rational& b) { return std::move(a *= b); }
  friend Rational operator/(Rational a, const Rational& b) { return std::move(a /= b); }
  Rational operator-() const;

  // -1, 0 or 1.
  int sign() const;
  Rational abs() const { return sign() < 0 ? -*this : *this; }
  bool is_zero() const { return big_ == nullptr && small_.significand == 0; }
  // Largest e with 2^e <= |x|. Requires x != 0.
  int floor_log2() const;
  // True where x = 2^k for some integer k.
  bool is_power_of_two() const { return big_ == nullptr && small_.significand == 1; }
  // Largest e such that x is a multiple of 2^e. Requires x != 0 and a denominator that is a power
  // of two.
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
  struct Big;  // a BoostRational that has no small form

  // significand·2^exponent; the significand is odd, or 0 with exponent 0.
  struct Small {
    std::int64_t significand = 0;
    std::int32_t exponent = 0;
    friend bool operator==(const Small&, const Small&) = default;
  };

  static Big* copy(const Big*);
  static void destroy(Big*);

  Small small_;  // where big_ is null
  Big* big_ = nullptr;
};

Rational min(const Rational&, const Rational&);
Rational max(const Rational&, const Rational&);
// base^exponent, exponent >= 0.
Rational power(Rational base, std::int64_t exponent);

}  // namespace ampcheck::reference
