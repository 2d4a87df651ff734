// A second, naive oracle for the tests: formats decoded and encoded field by field from their
// definitions, and rounding done long-hand on integers of 128 bits. It shares no code with the
// library.
#pragma once

#include <bit>
#include <cstdint>
#include <stdexcept>

namespace ampcheck::reference::second {

__extension__ typedef unsigned __int128 uint128;

// One row a format, as the standards print them: IEEE 754-2019 table 3.5, OFP8 1.0 table 1.
struct Layout {
  const char* name;
  int exponent_bits, fraction_bits, bias;
  bool has_infinity;
  // The largest finite number is max_significand·2^max_exponent, max_significand of full precision.
  std::uint64_t max_significand;
  int max_exponent;
};

inline constexpr Layout kLayouts[] = {
    {"binary16", 5, 10, 15, true, 2047, 5},         // 65504
    {"bfloat16", 8, 7, 127, true, 255, 120},        // (2 - 2^-7)·2^127
    {"binary32", 8, 23, 127, true, 16777215, 104},  // (2 - 2^-23)·2^127
    {"binary64", 11, 52, 1023, true, 9007199254740991, 971},
    {"float8_e4m3fn", 4, 3, 7, false, 14, 5},  // 448
    {"float8_e5m2", 5, 2, 15, true, 7, 13},    // 57344
};

enum class Kind { number, infinity, nan };
enum class Mode { nearest_even, nearest_away, toward_zero, up, down };

// ±(significand + more)·2^exponent with 0 <= more < 1; `more` says whether that is above 0.
struct Value {
  bool negative = false;
  uint128 significand = 0;
  int exponent = 0;
  bool more = false;
  Kind kind = Kind::number;

  bool is_zero() const { return kind == Kind::number && significand == 0 && !more; }
};

inline int bit_length(uint128 x) {
  const auto high = static_cast<std::uint64_t>(x >> 64);
  return high != 0 ? 128 - std::countl_zero(high)
                   : 64 - std::countl_zero(static_cast<std::uint64_t>(x));
}

// The same value with a significand of 120 bits.
inline Value normalized(Value x) {
  if (x.significand == 0) return x;
  const int shift = 120 - bit_length(x.significand);
  if (shift < 0) throw std::logic_error("too long");
  if (shift > 0 && x.more) throw std::logic_error("bits that nobody knows");
  x.significand <<= shift;
  x.exponent -= shift;
  return x;
}

inline Value decode(std::uint64_t bits, const Layout& f) {
  const int sign_at = f.exponent_bits + f.fraction_bits;
  Value x;
  x.negative = ((bits >> sign_at) & 1) != 0;
  const auto field = static_cast<int>((bits >> f.fraction_bits) & ((1u << f.exponent_bits) - 1));
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << f.fraction_bits) - 1);
  const int ones = (1 << f.exponent_bits) - 1;
  if (field == ones && f.has_infinity) {
    x.kind = fraction == 0 ? Kind::infinity : Kind::nan;
    return x;
  }
  if (field == ones && fraction == 7) {  // S.1111.111 is the only NaN of e4m3fn
    x.kind = Kind::nan;
    return x;
  }
  x.significand = field == 0 ? fraction : fraction + (std::uint64_t{1} << f.fraction_bits);
  x.exponent = (field == 0 ? 1 : field) - f.bias - f.fraction_bits;
  return x;
}

// The pattern of +infinity, or of NaN in e4m3fn.
inline std::uint64_t beyond(const Layout& f) {
  const std::uint64_t all = (std::uint64_t{1} << (f.exponent_bits + f.fraction_bits)) - 1;
  return f.has_infinity ? all - ((std::uint64_t{1} << f.fraction_bits) - 1) : all;
}

inline std::uint64_t encode(std::uint64_t significand, int exponent, const Layout& f) {
  const std::uint64_t hidden = std::uint64_t{1} << f.fraction_bits;
  if (significand < hidden) return significand;  // subnormal; its exponent is the smallest there is
  const auto field = static_cast<std::uint64_t>(exponent + f.bias + f.fraction_bits);
  return (field << f.fraction_bits) | (significand - hidden);
}

// Rounding of finite numbers, in any of the five modes.
inline std::uint64_t rounded(Value x, const Layout& f, Mode mode = Mode::nearest_even,
                             bool saturate = false) {
  const std::uint64_t sign =
      x.negative ? std::uint64_t{1} << (f.exponent_bits + f.fraction_bits) : 0;
  if (x.is_zero()) return sign;
  x = normalized(x);
  const int smallest = 1 - f.bias - f.fraction_bits;
  int unit = x.exponent + 119 - f.fraction_bits;
  if (unit < smallest) unit = smallest;
  const int dropped = unit - x.exponent;  // at least 120 - 53
  std::uint64_t kept = 0;
  int side = 0;  // the part dropped against half of the unit: -1, 0, 1
  bool inexact = true;
  if (dropped > 121) {
    side = -1;  // below a quarter of the unit
  } else {
    const uint128 half = uint128{1} << (dropped - 1);
    const uint128 rest = x.significand & ((half << 1) - 1);
    kept = static_cast<std::uint64_t>(x.significand >> dropped);
    inexact = rest != 0 || x.more;
    side = rest > half || (rest == half && x.more) ? 1 : rest == half ? 0 : -1;
  }
  bool away = false;
  if (inexact) {
    if (mode == Mode::nearest_even) away = side > 0 || (side == 0 && kept % 2 == 1);
    if (mode == Mode::nearest_away) away = side >= 0;
    if (mode == Mode::up) away = !x.negative;
    if (mode == Mode::down) away = x.negative;
  }
  if (away) ++kept;
  if (kept == std::uint64_t{2} << f.fraction_bits) {
    kept /= 2;
    ++unit;
  }
  const bool too_large =
      unit > f.max_exponent || (unit == f.max_exponent && kept > f.max_significand);
  if (!too_large) return sign | encode(kept, unit, f);
  const bool finite = saturate || mode == Mode::toward_zero || (mode == Mode::up && x.negative) ||
                      (mode == Mode::down && !x.negative);
  return sign | (finite ? encode(f.max_significand, f.max_exponent, f) : beyond(f));
}

// The same number in another format: inf stays inf where there is one. NaN has no answer here.
inline std::uint64_t converted(std::uint64_t bits, const Layout& from, const Layout& to) {
  const Value x = decode(bits, from);
  if (x.kind == Kind::nan) throw std::logic_error("NaN");
  if (x.kind == Kind::number) return rounded(x, to);
  const std::uint64_t sign = std::uint64_t{1} << (to.exponent_bits + to.fraction_bits);
  return (x.negative ? sign : 0) | beyond(to);
}

// Exact: two significands of at most 53 bits.
inline Value product(const Value& a, const Value& b) {
  if (bit_length(a.significand) + bit_length(b.significand) > 120)
    throw std::logic_error("too long");
  return {a.negative != b.negative, a.significand * b.significand, a.exponent + b.exponent};
}

// At least 64 right bits and whether there are more; a divisor of at most 53 bits.
inline Value quotient(const Value& a, const Value& b) {
  if (a.significand == 0) return {a.negative != b.negative};
  const int shift = 118 - bit_length(a.significand);
  const uint128 dividend = a.significand << shift;
  uint128 q = dividend / b.significand;
  const bool more = dividend % b.significand != 0;
  // Filled up to 120 bits by at least two. What was left out lies in those: one of them is set for
  // it, too far down for its size to matter.
  const int fill = 120 - bit_length(q);
  q <<= fill;
  if (more) q |= 1;
  return {a.negative != b.negative, q, a.exponent - shift - b.exponent - fill, false};
}

// √(significand·2^exponent) for a significand of at most 60 bits: 60 right bits and whether there
// are more.
inline Value square_root(const Value& x) {
  uint128 n = x.significand;
  int exponent = x.exponent;
  while (bit_length(n) < 119) n <<= 2, exponent -= 2;
  if (exponent % 2 != 0) n <<= 1, --exponent;
  uint128 low = 0, high = uint128{1} << 61;
  while (high - low > 1) {  // low² <= n < high²
    const uint128 middle = (low + high) / 2;
    (middle * middle <= n ? low : high) = middle;
  }
  const bool more = low * low != n;
  const int fill = 120 - bit_length(low);
  return {false, (low << fill) | (more ? 1u : 0u), exponent / 2 - fill, false};
}

}  // namespace ampcheck::reference::second
