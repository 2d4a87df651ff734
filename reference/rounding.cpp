#include "reference/rounding.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <stdexcept>

#include "reference/rational_boost.hpp"
#include "reference/round_quotient.hpp"

namespace ampcheck::reference {
namespace {

// |x| = kept·2^unit + rest with 0 <= rest < 2^unit: `rest` is compared with half of the unit.
struct Truncated {
  std::uint64_t kept;
  int unit;
  enum class Rest { zero, below_half, half, above_half } rest;
};

int unit_at(int exponent, const NumberFormat& format) {
  return std::max(exponent - format.fraction_bits, format.min_quantum());
}

// The same for an integer in 1 … 2^63 - 1 that is shifted right; `shift` may be anything.
Truncated truncate_bits(std::uint64_t significand, std::int64_t shift, int unit) {
  using Rest = Truncated::Rest;
  if (shift <= 0) return {significand << -shift, unit, Rest::zero};
  if (shift > 63) return {0, unit, Rest::below_half};
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  const std::uint64_t rest = significand & (2 * half - 1);
  return {significand >> shift, unit,
          rest == 0     ? Rest::zero
          : rest < half ? Rest::below_half
          : rest > half ? Rest::above_half
                        : Rest::half};
}

Truncated truncate(const Rational& x, const NumberFormat& format) {
  const int unit = unit_at(x.floor_log2(), format);
  if (const RationalAccess::Small* small = RationalAccess::small(x)) {
    return truncate_bits(static_cast<std::uint64_t>(std::abs(small->significand)),
                         std::int64_t{unit} - small->exponent, unit);
  }
  const BoostRational scaled = RationalAccess::boost(x.abs() * Rational::power_of_two(-unit));
  BoostInteger kept, rest;
  const BoostInteger below = denominator(scaled);
  divide_qr(BoostInteger(numerator(scaled)), below, kept, rest);
  const int order = BoostInteger(rest * 2).compare(below);
  using Rest = Truncated::Rest;
  return {kept.convert_to<std::uint64_t>(), unit,
          rest.is_zero() ? Rest::zero
          : order < 0    ? Rest::below_half
          : order == 0   ? Rest::half
                         : Rest::above_half};
}

// |a/b| of two short numbers that are not zero, by one division of integers.
struct Quotient {
  RationalAccess::Small a, b;

  std::string to_string() const {
    return (Rational::dyadic(a.significand, a.exponent) /
            Rational::dyadic(b.significand, b.exponent))
        .to_string();
  }
};

Truncated truncate(const Quotient& x, const NumberFormat& format) {
  using Rest = Truncated::Rest;
  __extension__ typedef unsigned __int128 UnsignedWide;
  const auto a = static_cast<std::uint64_t>(std::abs(x.a.significand));
  const auto b = static_cast<std::uint64_t>(std::abs(x.b.significand));
  const int zeros_a = std::countl_zero(a), zeros_b = std::countl_zero(b);
  // a/b lies in [1/2, 2) once both are shifted up to the same length.
  const int exponent =
      x.a.exponent - x.b.exponent - zeros_a + zeros_b - (a << zeros_a < b << zeros_b ? 1 : 0);
  const int unit = unit_at(exponent, format);
  // a·2^shift/b counts the units: fewer than 2^53, so that a·2^shift is below 2^116.
  const int shift = x.a.exponent - x.b.exponent - unit;
  if (shift < -64) return {0, unit, Rest::below_half};  // a < 2^63
  const UnsignedWide above = UnsignedWide{a} << std::max(shift, 0);
  const UnsignedWide below = UnsignedWide{b} << std::max(-shift, 0);
  const UnsignedWide rest = above % below;
  return {static_cast<std::uint64_t>(above / below), unit,
          rest == 0           ? Rest::zero
          : 2 * rest < below  ? Rest::below_half
          : 2 * rest == below ? Rest::half
                              : Rest::above_half};
}

// An irrational number is never a multiple of a unit nor half way between two.
Truncated::Rest side_of_half(bool below) {
  return below ? Truncated::Rest::below_half : Truncated::Rest::above_half;
}

// b·√q, as norms are: through the integer square root of (b·√q)² / 4^unit.
Truncated truncate_root(const Exact& x, const NumberFormat& format) {
  Rational square = x.coefficient() * x.coefficient() * x.radicand();
  const int exponent = square.floor_log2() >> 1;  // rounds down, also below zero
  const int unit = unit_at(exponent, format);
  square *= Rational::power_of_two(-2 * unit);
  const BoostRational scaled = RationalAccess::boost(square);
  const BoostInteger whole = BoostInteger(numerator(scaled)) / BoostInteger(denominator(scaled));
  const std::uint64_t kept = BoostInteger(sqrt(whole)).convert_to<std::uint64_t>();
  const Rational half = Rational::from_unsigned(kept) + Rational::power_of_two(-1);
  return {kept, unit, side_of_half(square < half * half)};
}

// A number of which order(r) tells how it compares with a rational r > 0, and which lies in the
// binade of `exponent`, or below it and below the smallest normal number.
template <typename Order>
Truncated truncate_at(int exponent, Order order, const NumberFormat& format) {
  using Rest = Truncated::Rest;
  const int unit = unit_at(exponent, format);
  const auto multiple = [&](std::uint64_t n, int shift) {
    return Rational::from_unsigned(n) * Rational::power_of_two(unit + shift);
  };
  std::uint64_t low = 0, high = std::uint64_t{1} << (format.precision() + 1);
  while (high - low > 1) {  // low units <= x < high units
    const std::uint64_t middle = low + (high - low) / 2;
    const std::strong_ordering side = order(multiple(middle, 0));
    if (side == 0) return {middle, unit, Rest::zero};
    (side < 0 ? high : low) = middle;
  }
  const std::strong_ordering side = order(multiple(2 * low + 1, -1));
  return {low, unit, side < 0 ? Rest::below_half : side == 0 ? Rest::half : Rest::above_half};
}

Truncated truncate_irrational(const Exact& x, const NumberFormat& format) {
  if (x.rational_part().is_zero()) return truncate_root(x, format);
  const Exact magnitude = x.abs();
  // |a| and |b|·√q are below 2^(floor_log2 + 1) each; cancellation may take the sum far below that.
  const Rational root_bound = magnitude.coefficient().abs() * max(magnitude.radicand(), 1);
  int exponent =
      std::max(magnitude.rational_part().abs().floor_log2(), root_bound.floor_log2()) + 2;
  exponent = std::min(exponent, format.max_exponent() + 2);
  while (exponent > format.min_quantum() && magnitude < Exact(Rational::power_of_two(exponent)))
    --exponent;
  return truncate_at(
      exponent, [&](const Rational& r) { return magnitude <=> Exact(r); }, format);
}

Truncated truncate(const Exact& x, const NumberFormat& format) {
  return x.is_rational() ? truncate(x.rational_part(), format) : truncate_irrational(x, format);
}

Truncated truncate(const Real& x, const NumberFormat& format) {
  const bool negative = x.sign() < 0;
  const auto order = [&](const Rational& r) {
    return negative ? 0 <=> x.compare(-r) : x.compare(r);
  };
  // The binade is searched for where the format has numbers, and just outside.
  int low = format.min_quantum() - 1, high = format.max_exponent() + 1;
  if (order(Rational::power_of_two(high)) >= 0)
    return {1, unit_at(high, format), Truncated::Rest::above_half};  // overflows in any case
  while (high - low > 1) {  // |x| < 2^high, and 2^low <= |x| or |x| is below all
    const int middle = low + (high - low) / 2;
    (order(Rational::power_of_two(middle)) < 0 ? high : low) = middle;
  }
  return truncate_at(low, order, format);
}

bool goes_away_from_zero(const Truncated& t, Rounding mode, bool negative) {
  using Rest = Truncated::Rest;
  switch (mode) {
    case Rounding::nearest_even:
      return t.rest == Rest::above_half || (t.rest == Rest::half && (t.kept & 1) != 0);
    case Rounding::nearest_away:
      return t.rest == Rest::above_half || t.rest == Rest::half;
    case Rounding::toward_zero:
      return false;
    case Rounding::up:
      return !negative && t.rest != Rest::zero;
    case Rounding::down:
      return negative && t.rest != Rest::zero;
  }
  throw std::logic_error("unknown rounding mode");
}

std::uint64_t overflowed(const NumberFormat& format, Rounding mode, Overflow overflow,
                         bool negative) {
  const bool stays_finite = overflow == Overflow::saturate || mode == Rounding::toward_zero ||
                            (mode == Rounding::up && negative) ||
                            (mode == Rounding::down && !negative);
  if (stays_finite || !format.has_nan()) return format.max_finite();
  return format.has_infinity() ? format.infinity() : format.nan();
}

// Patterns count the numbers that are not negative from zero on, or from the smallest one where
// there is no zero.
std::uint64_t first_number(const NumberFormat& format) { return format.has_zero ? 0 : 1; }

template <typename X>
std::uint64_t round_non_zero(const X& x, bool negative, const NumberFormat& format, Rounding mode,
                             Overflow overflow) {
  if (negative && !format.is_signed)
    throw NotRepresentable(format.name, "the negative number " + x.to_string());
  const std::uint64_t sign_bit = negative ? format.sign_bit() : 0;
  const Truncated t = truncate(x, format);
  if (t.unit > format.max_exponent() - format.fraction_bits)
    return sign_bit | overflowed(format, mode, overflow, negative);
  const std::uint64_t kept = t.kept + (goes_away_from_zero(t, mode, negative) ? 1 : 0);
  // The hidden bit of a normal number adds one to the exponent field, and a carry out of the
  // significand moves into it by itself.
  const std::uint64_t number =
      kept + (static_cast<std::uint64_t>(t.unit - format.min_quantum()) << format.fraction_bits);
  const std::uint64_t first = first_number(format);
  const std::uint64_t magnitude = std::max(number, first) - first;
  if (magnitude > format.max_finite())
    return sign_bit | overflowed(format, mode, overflow, negative);
  if (magnitude == 0 && !format.has_negative_zero()) return 0;
  return sign_bit | magnitude;
}

template <typename X>
std::uint64_t round_any(const X& x, const NumberFormat& format, Rounding mode, Overflow overflow,
                        bool negative_zero) {
  const int sign = x.sign();
  if (sign != 0) return round_non_zero(x, sign < 0, format, mode, overflow);
  if (!format.has_zero) throw NotRepresentable(format.name, "zero");
  return negative_zero && format.has_negative_zero() ? format.sign_bit() : 0;
}

}  // namespace

std::uint64_t round_to(const Exact& x, const NumberFormat& format, Rounding mode, Overflow overflow,
                       bool negative_zero) {
  return round_any(x, format, mode, overflow, negative_zero);
}

std::uint64_t round_to(const Real& x, const NumberFormat& format, Rounding mode,
                       Overflow overflow) {
  return round_any(x, format, mode, overflow, false);
}

std::uint64_t round_quotient(const Rational& a, const Rational& b, const NumberFormat& format,
                             bool negative_zero) {
  const RationalAccess::Small *small_a = RationalAccess::small(a),
                              *small_b = RationalAccess::small(b);
  if (small_a == nullptr || small_b == nullptr || a.is_zero() || b.is_zero())
    return round_to(a / b, format, Rounding::nearest_even, Overflow::standard, negative_zero);
  return round_non_zero(Quotient{*small_a, *small_b}, a.sign() != b.sign(), format,
                        Rounding::nearest_even, Overflow::standard);
}

Rational value_of(std::uint64_t bits, const NumberFormat& format) {
  if (!format.is_finite(bits)) throw std::domain_error("inf and NaN have no exact value");
  const std::uint64_t number = format.magnitude(bits) + first_number(format);
  const int field = static_cast<int>(number >> format.fraction_bits);
  const std::uint64_t fraction = number & format.fraction_mask();
  const std::uint64_t hidden = std::uint64_t{1} << format.fraction_bits;
  const std::uint64_t significand = field == 0 ? fraction : fraction | hidden;
  const int quantum = format.min_quantum() + (field == 0 ? 0 : field - 1);
  const auto magnitude_bits = static_cast<std::int64_t>(significand);
  return Rational::dyadic(format.is_negative(bits) ? -magnitude_bits : magnitude_bits, quantum);
}

bool is_representable(const Rational& x, const NumberFormat& format) {
  if (x.is_zero()) return format.has_zero;
  if (x.sign() < 0 && !format.is_signed) return false;
  const std::uint64_t bits = round_to(x, format);
  return format.is_finite(bits) && value_of(bits, format) == x;
}

std::uint64_t convert(const Number& x, const NumberFormat& to, Overflow overflow) {
  const NumberFormat& from = *x.format;
  const bool infinite = from.is_infinite(x.bits);
  if (from == to && !infinite) return x.bits;
  const bool negative = from.is_negative(x.bits);
  if (x.is_finite()) return round_to(value_of(x), to, Rounding::nearest_even, overflow, negative);
  const std::uint64_t sign = negative ? to.sign_bit() : 0;
  if (!infinite) return sign | to.nan();
  const std::uint64_t magnitude = overflowed(to, Rounding::nearest_even, overflow, negative);
  if (negative && !to.is_signed && magnitude <= to.max_finite())
    throw NotRepresentable(to.name, "-inf");
  return sign | magnitude;
}

std::string to_hex_bits(std::uint64_t bits, const NumberFormat& format) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (int shift = 0; shift < format.width; shift += 4)
    text.insert(text.begin(), kDigits[(bits >> shift) & 15]);
  return text;
}

std::string to_hex_float(std::uint64_t bits, const NumberFormat& format) {
  const std::string sign = format.is_negative(bits) ? "-" : "";
  if (format.is_infinite(bits)) return sign + "inf";
  if (format.is_nan(bits)) return sign + "nan:0x" + to_hex_bits(bits, format);
  if (format.is_zero(bits)) return sign + "0x0p+0";
  const Rational magnitude = value_of(bits, format).abs();
  const int exponent = magnitude.floor_log2();
  // The significand as 1.fff with the fraction in groups of four bits.
  Rational rest = magnitude * Rational::power_of_two(-exponent) - 1;
  std::string digits;
  while (!rest.is_zero()) {
    rest *= 16;
    int digit = 0;
    while (rest >= Rational(1)) rest -= 1, ++digit;
    digits += "0123456789abcdef"[digit];
  }
  return sign + "0x1" + (digits.empty() ? "" : "." + digits) + "p" + (exponent < 0 ? "-" : "+") +
         std::to_string(std::abs(exponent));
}

std::string to_string(const Number& x) {
  return to_hex_bits(x.bits, *x.format) + " = " + to_hex_float(x.bits, *x.format) + " (" +
         std::string(x.format->name) + ")";
}

}  // namespace ampcheck::reference
