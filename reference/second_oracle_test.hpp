// A second, naive oracle for the tests: formats decoded and encoded field by field from their
// definitions, and rounding done long-hand on integers of 128 bits. It shares no code with the
// library.
#pragma once

#include <bit>
#include <cstdint>
#include <stdexcept>

namespace ampcheck::reference::second {

__extension__ typedef unsigned __int128 uint128;

// What stands for a number that is too large.
enum class Beyond { infinity, nan, largest };

// One row a format, as the standards print them: IEEE 754-2019 table 3.5, OFP8 1.0 table 1, OCP MX
// 1.0 section 5.3, and ml_dtypes for fnuz.
struct Layout {
  const char* name;
  int exponent_bits, fraction_bits, bias;
  Beyond beyond;
  // The largest finite number is max_significand·2^max_exponent, max_significand of full precision.
  std::uint64_t max_significand;
  int max_exponent;
  // The pattern of NaN where there is no other, sign aside where it has one.
  std::uint64_t only_nan = 0;
  bool unsigned_zero = false;  // 0 with a sign is NaN
};

inline constexpr Layout kLayouts[] = {
    {"binary16", 5, 10, 15, Beyond::infinity, 2047, 5},         // 65504
    {"bfloat16", 8, 7, 127, Beyond::infinity, 255, 120},        // (2 - 2^-7)·2^127
    {"binary32", 8, 23, 127, Beyond::infinity, 16777215, 104},  // (2 - 2^-23)·2^127
    {"binary64", 11, 52, 1023, Beyond::infinity, 9007199254740991, 971},
    {"float8_e4m3fn", 4, 3, 7, Beyond::nan, 14, 5, 0x7f},           // 448
    {"float8_e5m2", 5, 2, 15, Beyond::infinity, 7, 13},             // 57344
    {"float8_e4m3fnuz", 4, 3, 8, Beyond::nan, 15, 4, 0x80, true},   // 240
    {"float8_e5m2fnuz", 5, 2, 16, Beyond::nan, 7, 13, 0x80, true},  // 57344
    {"tf32", 8, 10, 127, Beyond::infinity, 2047, 117},              // (2 - 2^-10)·2^127
    {"float8_e8m0fnu", 8, 0, 127, Beyond::nan, 1, 127, 0xff},       // 2^127
    {"float6_e2m3fn", 2, 3, 1, Beyond::largest, 15, -1},            // 7.5
    {"float6_e3m2fn", 3, 2, 3, Beyond::largest, 7, 2},              // 28
    {"float4_e2m1fn", 2, 1, 1, Beyond::largest, 3, 1},              // 6
};

// The scale of OCP MX has nothing but an exponent: neither sign nor zero.
inline bool only_exponent(const Layout& f) { return f.fraction_bits == 0; }

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
  Value x;
  if (only_exponent(f)) {
    if (bits == f.only_nan) return {false, 0, 0, false, Kind::nan};
    return {false, 1, static_cast<int>(bits) - f.bias};
  }
  const int sign_at = f.exponent_bits + f.fraction_bits;
  x.negative = ((bits >> sign_at) & 1) != 0;
  const auto field = static_cast<int>((bits >> f.fraction_bits) & ((1u << f.exponent_bits) - 1));
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << f.fraction_bits) - 1);
  const int ones = (1 << f.exponent_bits) - 1;
  if (field == ones && f.beyond == Beyond::infinity) {
    x.kind = fraction == 0 ? Kind::infinity : Kind::nan;
    return x;
  }
  // S.1111.111 is the only NaN of e4m3fn, 1.0000.000 that of e4m3fnuz.
  const std::uint64_t looked_at = f.unsigned_zero ? bits : bits & ~(std::uint64_t{1} << sign_at);
  if (f.only_nan != 0 && looked_at == f.only_nan) {
    x.kind = Kind::nan;
    return x;
  }
  x.significand = field == 0 ? fraction : fraction + (std::uint64_t{1} << f.fraction_bits);
  x.exponent = (field == 0 ? 1 : field) - f.bias - f.fraction_bits;
  return x;
}

inline std::uint64_t encode(std::uint64_t significand, int exponent, const Layout& f) {
  const std::uint64_t hidden = std::uint64_t{1} << f.fraction_bits;
  if (significand < hidden) return significand;  // subnormal; its exponent is the smallest there is
  const auto field = static_cast<std::uint64_t>(exponent + f.bias + f.fraction_bits);
  return (field << f.fraction_bits) | (significand - hidden);
}

inline std::uint64_t largest(const Layout& f) {
  return only_exponent(f) ? 254 : encode(f.max_significand, f.max_exponent, f);
}

// The pattern of +infinity, of NaN, or of the largest number, as the format has them.
inline std::uint64_t beyond(const Layout& f) {
  if (f.beyond == Beyond::nan) return f.only_nan;
  if (f.beyond == Beyond::largest) return largest(f);
  const std::uint64_t all = (std::uint64_t{1} << (f.exponent_bits + f.fraction_bits)) - 1;
  return all - ((std::uint64_t{1} << f.fraction_bits) - 1);
}

// 2^exponent·significand of the scale of OCP MX: the largest power of two that is not above, or the
// next one. A tie, 1.5 times a power, goes up: neither is even.
inline std::uint64_t rounded_to_power(const Value& x, const Layout& f, Mode mode, bool saturate) {
  if (x.negative || x.is_zero()) throw std::logic_error("neither sign nor zero");
  const int length = bit_length(x.significand);
  int power = x.exponent + length - 1;
  if (power < -127) return 0;
  const uint128 rest = x.significand - (uint128{1} << (length - 1));
  const bool inexact = rest != 0 || x.more;
  const bool half = length > 1 && rest >> (length - 2) != 0;  // 1.5 or above
  const bool nearest = mode == Mode::nearest_even || mode == Mode::nearest_away;
  if ((nearest && half) || (mode == Mode::up && inexact)) ++power;
  if (power <= 127) return static_cast<std::uint64_t>(power + 127);
  return saturate || mode == Mode::toward_zero || mode == Mode::down ? largest(f) : beyond(f);
}

// Rounding of finite numbers, in any of the five modes.
inline std::uint64_t rounded(Value x, const Layout& f, Mode mode = Mode::nearest_even,
                             bool saturate = false) {
  if (only_exponent(f)) return rounded_to_power(x, f, mode, saturate);
  const std::uint64_t sign =
      x.negative ? std::uint64_t{1} << (f.exponent_bits + f.fraction_bits) : 0;
  const std::uint64_t zero = f.unsigned_zero ? 0 : sign;
  if (x.is_zero()) return zero;
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
  if (kept == 0) return zero;
  if (kept == std::uint64_t{2} << f.fraction_bits) {
    kept /= 2;
    ++unit;
  }
  const bool too_large =
      unit > f.max_exponent || (unit == f.max_exponent && kept > f.max_significand);
  if (!too_large) return sign | encode(kept, unit, f);
  const bool finite = saturate || mode == Mode::toward_zero || (mode == Mode::up && x.negative) ||
                      (mode == Mode::down && !x.negative);
  return sign | (finite ? largest(f) : beyond(f));
}

// The same number in another format: inf stays inf where there is one. NaN has no answer here.
inline std::uint64_t converted(std::uint64_t bits, const Layout& from, const Layout& to,
                               bool saturate = false) {
  const Value x = decode(bits, from);
  if (x.kind == Kind::nan) throw std::logic_error("NaN");
  if (x.kind == Kind::number) return rounded(x, to, Mode::nearest_even, saturate);
  const std::uint64_t sign =
      only_exponent(to) ? 0 : std::uint64_t{1} << (to.exponent_bits + to.fraction_bits);
  return (x.negative ? sign : 0) | (saturate ? largest(to) : beyond(to));
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
