// Number formats as data: one table, one row a format.
//
// A pattern is the value of a format's bits in an unsigned integer, sign bit on top. Everything
// that reads or writes a pattern (rounding, cases, reports) asks this table, so a new format is one
// row.
//
// Sources:
// - IEEE 754-2019 for the binary formats; bfloat16 as binary32 with its low 16 bits dropped.
// - tf32 as binary32 with its low 13 bits dropped (NVIDIA A100 Tensor Core GPU Architecture, 2020;
//   the pattern is what is left).
// - OCP 8-bit Floating Point Specification (OFP8) 1.0 for float8_e4m3fn and float8_e5m2.
// - OCP Microscaling Formats (MX) Specification 1.0, section 5.3 for float6_e2m3fn, float6_e3m2fn
//   and float4_e2m1fn, section 5.4 for float8_e8m0fnu.
// - Noune, Jones, Justus, Masters, Luschi, "8-bit Numerical Formats for Deep Neural Networks"
//   (arXiv 2206.02915, 2022) for float8_e4m3fnuz and float8_e5m2fnuz, which ml_dtypes and PyTorch
//   define under these names.
// The suffixes are those of ml_dtypes: f, finite numbers only (no infinity); n, NaN in an encoding
// of its own; uz, an unsigned zero only; u, unsigned.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ampcheck::reference {

// Thrown where a format has no pattern that can stand for what is asked of it: NaN in
// float4_e2m1fn, a negative number in float8_e8m0fnu.
class NotRepresentable : public std::domain_error {
 public:
  NotRepresentable(std::string_view format, const std::string& what)
      : std::domain_error(std::string(format) + " has no pattern for " + what) {}
};

struct NumberFormat {
  enum class Specials : std::uint8_t {
    ieee,               // exponent all ones: infinity where the fraction is zero, else NaN
    all_ones_nan,       // only the pattern of all ones below the sign is NaN; no infinity
    negative_zero_nan,  // only the sign bit alone is NaN, so that there is no -0; no infinity. The
                        // bias is one larger than IEEE 754's.
    none,               // neither infinity nor NaN
  };

  std::string_view name;
  int width;          // bits, sign included
  int exponent_bits;  //
  int fraction_bits;  // stored bits of the significand
  Specials specials;
  bool is_signed = true;
  // False: no zero and no subnormals; the exponent field 0 is one like the others.
  bool has_zero = true;

  // p: bits of the significand, the hidden one included. The unit roundoff is 2^-p.
  constexpr int precision() const { return fraction_bits + 1; }
  constexpr int bias() const {
    return (1 << (exponent_bits - 1)) - (specials == Specials::negative_zero_nan ? 0 : 1);
  }
  // Exponent of the smallest normal number: 2^min_exponent().
  constexpr int min_exponent() const { return (has_zero ? 1 : 0) - bias(); }
  // Exponent of the smallest subnormal, the unit in the last place of every number below
  // 2^min_exponent().
  constexpr int min_quantum() const { return min_exponent() - fraction_bits; }
  // Exponent of the binade that holds the largest finite number.
  constexpr int max_exponent() const {
    return static_cast<int>(max_finite() >> fraction_bits) - bias();
  }

  // 0 where there is no sign.
  constexpr std::uint64_t sign_bit() const {
    return is_signed ? std::uint64_t{1} << (width - 1) : 0;
  }
  constexpr std::uint64_t magnitude_mask() const {
    return (std::uint64_t{1} << (is_signed ? width - 1 : width)) - 1;
  }
  constexpr std::uint64_t fraction_mask() const { return (std::uint64_t{1} << fraction_bits) - 1; }
  constexpr std::uint64_t exponent_mask() const { return magnitude_mask() & ~fraction_mask(); }
  constexpr bool has_infinity() const { return specials == Specials::ieee; }
  constexpr bool has_nan() const { return specials != Specials::none; }
  constexpr bool has_negative_zero() const {
    return is_signed && has_zero && specials != Specials::negative_zero_nan;
  }
  // Magnitude of +infinity; only where has_infinity().
  constexpr std::uint64_t infinity() const { return exponent_mask(); }
  // A quiet NaN. Throws NotRepresentable where there is none.
  constexpr std::uint64_t nan() const {
    switch (specials) {
      case Specials::ieee:
        return exponent_mask() | (std::uint64_t{1} << (fraction_bits - 1));
      case Specials::all_ones_nan:
        return magnitude_mask();
      case Specials::negative_zero_nan:
        return sign_bit();
      case Specials::none:
        break;
    }
    throw NotRepresentable(name, "NaN");
  }
  // Magnitude of the largest finite number.
  constexpr std::uint64_t max_finite() const {
    switch (specials) {
      case Specials::ieee:
        return exponent_mask() - 1;
      case Specials::all_ones_nan:
        return magnitude_mask() - 1;
      default:
        return magnitude_mask();
    }
  }
  // The pattern of the least finite number: the largest one's negative, or the smallest one where
  // there is no sign.
  constexpr std::uint64_t lowest() const { return is_signed ? sign_bit() | max_finite() : 0; }
  constexpr std::uint64_t min_normal() const {
    return has_zero ? std::uint64_t{1} << fraction_bits : 0;
  }

  // NaN has a sign only where it has one pattern of each.
  constexpr bool is_negative(std::uint64_t bits) const {
    return (bits & sign_bit()) != 0 && !is_negative_zero_nan(bits);
  }
  constexpr std::uint64_t magnitude(std::uint64_t bits) const { return bits & magnitude_mask(); }
  constexpr bool is_finite(std::uint64_t bits) const {
    return magnitude(bits) <= max_finite() && !is_negative_zero_nan(bits);
  }
  constexpr bool is_infinite(std::uint64_t bits) const {
    return has_infinity() && magnitude(bits) == infinity();
  }
  constexpr bool is_nan(std::uint64_t bits) const { return !is_finite(bits) && !is_infinite(bits); }
  constexpr bool is_zero(std::uint64_t bits) const {
    return has_zero && magnitude(bits) == 0 && !is_negative_zero_nan(bits);
  }
  constexpr bool is_subnormal(std::uint64_t bits) const {
    return magnitude(bits) != 0 && magnitude(bits) < min_normal();
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

 private:
  constexpr bool is_negative_zero_nan(std::uint64_t bits) const {
    return specials == Specials::negative_zero_nan && bits == sign_bit();
  }
};

inline constexpr NumberFormat kNumberFormats[] = {
    {"binary16", 16, 5, 10, NumberFormat::Specials::ieee},
    {"bfloat16", 16, 8, 7, NumberFormat::Specials::ieee},
    {"binary32", 32, 8, 23, NumberFormat::Specials::ieee},
    {"binary64", 64, 11, 52, NumberFormat::Specials::ieee},
    {"float8_e4m3fn", 8, 4, 3, NumberFormat::Specials::all_ones_nan},
    {"float8_e5m2", 8, 5, 2, NumberFormat::Specials::ieee},
    {"float8_e4m3fnuz", 8, 4, 3, NumberFormat::Specials::negative_zero_nan},
    {"float8_e5m2fnuz", 8, 5, 2, NumberFormat::Specials::negative_zero_nan},
    {"tf32", 19, 8, 10, NumberFormat::Specials::ieee},
    {"float8_e8m0fnu", 8, 8, 0, NumberFormat::Specials::all_ones_nan, false, false},
    {"float6_e2m3fn", 6, 2, 3, NumberFormat::Specials::none},
    {"float6_e3m2fn", 6, 3, 2, NumberFormat::Specials::none},
    {"float4_e2m1fn", 4, 2, 1, NumberFormat::Specials::none},
};

inline constexpr const NumberFormat& binary16 = kNumberFormats[0];
inline constexpr const NumberFormat& bfloat16 = kNumberFormats[1];
inline constexpr const NumberFormat& binary32 = kNumberFormats[2];
inline constexpr const NumberFormat& binary64 = kNumberFormats[3];
inline constexpr const NumberFormat& float8_e4m3fn = kNumberFormats[4];
inline constexpr const NumberFormat& float8_e5m2 = kNumberFormats[5];
inline constexpr const NumberFormat& float8_e4m3fnuz = kNumberFormats[6];
inline constexpr const NumberFormat& float8_e5m2fnuz = kNumberFormats[7];
inline constexpr const NumberFormat& tf32 = kNumberFormats[8];
inline constexpr const NumberFormat& float8_e8m0fnu = kNumberFormats[9];
inline constexpr const NumberFormat& float6_e2m3fn = kNumberFormats[10];
inline constexpr const NumberFormat& float6_e3m2fn = kNumberFormats[11];
inline constexpr const NumberFormat& float4_e2m1fn = kNumberFormats[12];

// Null where no format has this name.
constexpr const NumberFormat* find_number_format(std::string_view name) {
  for (const NumberFormat& format : kNumberFormats)
    if (format.name == name) return &format;
  return nullptr;
}

}  // namespace ampcheck::reference
