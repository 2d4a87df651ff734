// From exact numbers to patterns and back.
#pragma once

#include <cstdint>
#include <string>

#include "reference/exact.hpp"
#include "reference/number_format.hpp"
#include "reference/real.hpp"

namespace ampcheck::reference {

// A pattern together with the format that it is of.
struct Number {
  const NumberFormat* format = nullptr;
  std::uint64_t bits = 0;

  bool is_finite() const { return format->is_finite(bits); }
  friend bool operator==(const Number&, const Number&) = default;
};

// The rounding-direction attributes of IEEE 754-2019, §4.3.
enum class Rounding {
  nearest_even,
  nearest_away,
  toward_zero,
  up,    // toward positive infinity
  down,  // toward negative infinity
};

// What a result beyond the largest finite number becomes.
enum class Overflow {
  // Infinity where the rounding mode goes there; NaN in a format without infinity (OFP8 1.0, table
  // 3); the largest finite number in a format with neither (OCP MX 1.0, section 5.3).
  standard,
  saturate,  // the largest finite number
};

// The pattern of x in the format. An exact zero gives +0, or -0 with `negative_zero`; a result that
// rounds to zero keeps the sign of x. Correct by construction: x is only compared with multiples of
// the unit in the last place and with the points half way between them.
//
// Where a format has no -0, +0 stands for it, as in ml_dtypes. With a significand of one bit
// (float8_e8m0fnu) no number is even: ties go to the larger magnitude (IEEE 754-2019, 4.3.1). Where
// the smallest number of a format is above zero, it stands for every positive number below it in
// all modes, as in ml_dtypes, PyTorch and CUDA. Throws NotRepresentable for zero and negative
// numbers there: ml_dtypes gives NaN for them, PyTorch and CUDA the pattern of |x|, the standard
// nothing.
std::uint64_t round_to(const Exact& x, const NumberFormat& format,
                       Rounding mode = Rounding::nearest_even,
                       Overflow overflow = Overflow::standard, bool negative_zero = false);
// The same of any kind of number, more slowly: some 40 comparisons.
std::uint64_t round_to(const Real& x, const NumberFormat& format,
                       Rounding mode = Rounding::nearest_even,
                       Overflow overflow = Overflow::standard);

// The value of a finite pattern. Throws std::domain_error for inf and NaN.
Rational value_of(std::uint64_t bits, const NumberFormat& format);
inline Rational value_of(const Number& x) { return value_of(x.bits, *x.format); }

// The same, and the largest finite number of its sign for inf.
inline Rational value_or_largest(std::uint64_t bits, const NumberFormat& format) {
  return value_of(
      format.is_infinite(bits) ? format.max_finite() | (bits & format.sign_bit()) : bits, format);
}

// True where x is a number of the format.
bool is_representable(const Rational& x, const NumberFormat& format);

// The same number in another format, rounded to nearest even; NaN stays NaN, and zero keeps its
// sign as in round_to. inf stays inf, or becomes what a number that is too large becomes: NaN where
// the format has no infinity, the largest finite number where it has no NaN either, or where
// results saturate (OFP8 1.0, table 3; ml_dtypes). Throws NotRepresentable for NaN where the format
// has none (ml_dtypes gives a zero, CUDA the largest number), and where round_to does.
std::uint64_t convert(const Number& x, const NumberFormat& to,
                      Overflow overflow = Overflow::standard);

// "0x1.8p+1", "-0x0p+0", "inf", "nan:0x2a": exact, with the sign of zero and the payload of NaN.
std::string to_hex_float(std::uint64_t bits, const NumberFormat& format);
// "3e00": width/4 digits, rounded up.
std::string to_hex_bits(std::uint64_t bits, const NumberFormat& format);
// "3e00 = 0x1.8p+0 (binary16)".
std::string to_string(const Number& x);

}  // namespace ampcheck::reference
