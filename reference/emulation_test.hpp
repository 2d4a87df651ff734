// Floating point of the machine for the tests: numbers in and out, and operations of short formats
// emulated in double. Twice rounding is once rounding there: 53 bits are more than 2·11 + 2.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "reference/rounding.hpp"
#include "reference/second_oracle.hpp"

namespace ampcheck::reference {

inline const second::Layout& layout_of(const NumberFormat& f) {
  return second::kLayouts[&f - kNumberFormats];
}

// A double in a format, rounded to nearest by the second oracle.
inline Number number(const NumberFormat& f, double x) {
  if (std::isnan(x)) return {&f, f.nan()};
  return {&f,
          second::converted(std::bit_cast<std::uint64_t>(x), second::kLayouts[3], layout_of(f))};
}

inline double as_double(const Number& x) {
  if (x.format->is_nan(x.bits)) return std::nan("");
  return std::bit_cast<double>(
      second::converted(x.bits, layout_of(*x.format), second::kLayouts[3]));
}

inline Rational rational(double x) { return value_of(number(binary64, x)); }

// One operation in a format. In binary32 that of the machine, in a short one double rounded once
// more.
class Machine {
 public:
  explicit Machine(const NumberFormat& f) : f_(f) {}

  const NumberFormat& format() const { return f_; }
  double narrow(double x) const { return f_ == binary64 ? x : as_double(number(f_, x)); }
  double add(double a, double b) const { return narrow(a + b); }
  double multiply(double a, double b) const { return narrow(a * b); }
  double divide(double a, double b) const {
    if (f_ == binary32) return static_cast<float>(a) / static_cast<float>(b);
    return narrow(a / b);
  }
  double root(double a) const {
    return f_ == binary32 ? std::sqrt(static_cast<float>(a)) : narrow(std::sqrt(a));
  }
  // a·b + c, rounded once.
  double fma(double a, double b, double c) const {
    if (f_ == binary32)
      return std::fma(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c));
    return f_ == binary64 ? std::fma(a, b, c) : narrow(a * b + c);
  }
  std::uint64_t bits(double x) const { return number(f_, x).bits; }

 private:
  const NumberFormat& f_;
};

}  // namespace ampcheck::reference
