// Number formats as data: one table, one row a format.
//
// A pattern is the value of a format's bits in an unsigned integer, sign bit on top. Everything
// that reads or writes a pattern (rounding, cases, reports) asks this table, so a new format is one
// row.
//
// Sources: IEEE 754-2019 for the binary formats; bfloat16 as binary32 with its low 16 bits dropped;
// OCP 8-bit Floating Point Specification (OFP8) 1.0 for float8_e4m3fn and float8_e5m2.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ampcheck::reference {

struct NumberFormat {
  enum class Specials : std::uint8_t {
    ieee,          // exponent all ones: infinity where the fraction is zero, else NaN
    all_ones_nan,  // only the pattern of all ones below the sign is NaN; no infinity
                   // (float8_e4m3fn)
  };

  std::string_view name;
  int width;          // bits, sign included
  int exponent_bits;  //
  int fraction_bits;  // stored bits of the significand
  Specials specials;

  // p: bits of the significand, the hidden one included. The unit roundoff is 2^-p.
  constexpr int precision() const { return fraction_bits + 1; }
  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  // Exponent of the smallest normal number: 2^min_exponent().
  constexpr int min_exponent() const { return 1 - bias(); }
  // Exponent of the smallest subnormal, the unit in the last place of every number below
  // 2^min_exponent().
  constexpr int min_quantum() const { return min_exponent() - fraction_bits; }
  // Exponent of the binade that holds the largest finite number.
  constexpr int max_exponent() const {
    return bias() + (specials == Specials::all_ones_nan ? 1 : 0);
  }

  constexpr std::uint64_t sign_bit() const { return std::uint64_t{1} << (width - 1); }
  constexpr std::uint64_t magnitude_mask() const { return sign_bit() - 1; }
  constexpr std::uint64_t fraction_mask() const { return (std::uint64_t{1} << fraction_bits) - 1; }
  constexpr std::uint64_t exponent_mask() const { return magnitude_mask() & ~fraction_mask(); }
  constexpr bool has_infinity() const { return specials == Specials::ieee; }
  // Magnitude of +infinity; only where has_infinity().
  constexpr std::uint64_t infinity() const { return exponent_mask(); }
  // A quiet NaN.
  constexpr std::uint64_t nan() const {
    return specials == Specials::ieee ? exponent_mask() | (std::uint64_t{1} << (fraction_bits - 1))
                                      : magnitude_mask();
  }
  constexpr std::uint64_t max_finite() const {
    return (specials == Specials::ieee ? exponent_mask() : magnitude_mask()) - 1;
  }
  constexpr std::uint64_t min_normal() const { return std::uint64_t{1} << fraction_bits; }

  constexpr bool is_negative(std::uint64_t bits) const { return (bits & sign_bit()) != 0; }
  constexpr std::uint64_t magnitude(std::uint64_t bits) const { return bits & magnitude_mask(); }
  constexpr bool is_finite(std::uint64_t bits) const { return magnitude(bits) <= max_finite(); }
  constexpr bool is_infinite(std::uint64_t bits) const {
    return has_infinity() && magnitude(bits) == infinity();
  }
  constexpr bool is_nan(std::uint64_t bits) const { return !is_finite(bits) && !is_infinite(bits); }
  constexpr bool is_zero(std::uint64_t bits) const { return magnitude(bits) == 0; }
  constexpr bool is_subnormal(std::uint64_t bits) const {
    return !is_zero(bits) && magnitude(bits) < min_normal();
  }
  constexpr bool is_normal(std::uint64_t bits) const {
    return is_finite(bits) && magnitude(bits) >= min_normal();
  }
  // True where bits fit into the width.
  constexpr bool holds(std::uint64_t bits) const {
    return (bits & ~(sign_bit() | magnitude_mask())) == 0;
  }

  friend constexpr bool operator==(const NumberFormat& a, const NumberFormat& b) {
    return a.name == b.name;
  }
};

inline constexpr NumberFormat kNumberFormats[] = {
    {"binary16", 16, 5, 10, NumberFormat::Specials::ieee},
    {"bfloat16", 16, 8, 7, NumberFormat::Specials::ieee},
    {"binary32", 32, 8, 23, NumberFormat::Specials::ieee},
    {"binary64", 64, 11, 52, NumberFormat::Specials::ieee},
    {"float8_e4m3fn", 8, 4, 3, NumberFormat::Specials::all_ones_nan},
    {"float8_e5m2", 8, 5, 2, NumberFormat::Specials::ieee},
};

inline constexpr const NumberFormat& binary16 = kNumberFormats[0];
inline constexpr const NumberFormat& bfloat16 = kNumberFormats[1];
inline constexpr const NumberFormat& binary32 = kNumberFormats[2];
inline constexpr const NumberFormat& binary64 = kNumberFormats[3];
inline constexpr const NumberFormat& float8_e4m3fn = kNumberFormats[4];
inline constexpr const NumberFormat& float8_e5m2 = kNumberFormats[5];

// Null where no format has this name.
constexpr const NumberFormat* find_number_format(std::string_view name) {
  for (const NumberFormat& format : kNumberFormats)
    if (format.name == name) return &format;
  return nullptr;
}

}  // namespace ampcheck::reference
