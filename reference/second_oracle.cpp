#include "reference/second_oracle.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <vector>

namespace ampcheck::reference::second {

int bit_length(uint128 x) {
  const auto high = static_cast<std::uint64_t>(x >> 64);
  return high != 0 ? 128 - std::countl_zero(high)
                   : 64 - std::countl_zero(static_cast<std::uint64_t>(x));
}

// The same value with a significand of 120 bits.
Value normalized(Value x) {
  if (x.significand == 0) return x;
  const int shift = 120 - bit_length(x.significand);
  if (shift < 0) throw std::logic_error("too long");
  if (shift > 0 && x.more) throw std::logic_error("bits that nobody knows");
  x.significand <<= shift;
  x.exponent -= shift;
  return x;
}

Value decode(std::uint64_t bits, const Layout& f) {
  Value x;
  if (only_exponent(f)) {
    if (bits != f.only_nan) return {false, 1, static_cast<int>(bits) - f.bias};
    x.kind = Kind::nan;
    return x;
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

std::uint64_t encode(std::uint64_t significand, int exponent, const Layout& f) {
  const std::uint64_t hidden = std::uint64_t{1} << f.fraction_bits;
  if (significand < hidden) return significand;  // subnormal; its exponent is the smallest there is
  const auto field = static_cast<std::uint64_t>(exponent + f.bias + f.fraction_bits);
  return (field << f.fraction_bits) | (significand - hidden);
}

std::uint64_t largest(const Layout& f) {
  return only_exponent(f) ? 254 : encode(f.max_significand, f.max_exponent, f);
}

// The pattern of +infinity, of NaN, or of the largest number, as the format has them.
std::uint64_t beyond(const Layout& f) {
  if (f.beyond == Beyond::nan) return f.only_nan;
  if (f.beyond == Beyond::largest) return largest(f);
  const std::uint64_t all = (std::uint64_t{1} << (f.exponent_bits + f.fraction_bits)) - 1;
  return all - ((std::uint64_t{1} << f.fraction_bits) - 1);
}

// 2^exponent·significand of the scale of OCP MX: the largest power of two that is not above, or the
// next one. A tie, 1.5 times a power, goes up: neither is even.
std::uint64_t rounded_to_power(const Value& x, const Layout& f, Mode mode, bool saturate) {
  if (x.negative || x.is_zero()) throw std::logic_error("neither sign nor zero");
  const int length = bit_length(x.significand);
  int power = x.exponent + length - 1;
  if (power < -127) return 0;
  const uint128 first = uint128{1} << (length - 1), rest = x.significand - first;
  const bool inexact = rest != 0 || x.more;
  const bool half = 2 * rest >= first;  // 1.5 or above
  const bool nearest = mode == Mode::nearest_even || mode == Mode::nearest_away;
  if ((nearest && half) || (mode == Mode::up && inexact)) ++power;
  if (power <= 127) return static_cast<std::uint64_t>(power + 127);
  return saturate || mode == Mode::toward_zero || mode == Mode::down ? largest(f) : beyond(f);
}

// Rounding of finite numbers, in any of the five modes.
std::uint64_t rounded(Value x, const Layout& f, Mode mode, bool saturate) {
  if (only_exponent(f)) return rounded_to_power(x, f, mode, saturate);
  const std::uint64_t sign =
      x.negative ? std::uint64_t{1} << (f.exponent_bits + f.fraction_bits) : 0;
  const std::uint64_t zero = f.unsigned_zero ? 0 : sign;
  if (x.is_zero()) return zero;
  x = normalized(x);
  const int smallest = 1 - f.bias - f.fraction_bits;
  int unit = std::max(x.exponent + 119 - f.fraction_bits, smallest);
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

// Of inf, also where the format has none. Not every format has a sign.
std::uint64_t rounded_infinity(bool negative, const Layout& f, bool saturate) {
  const std::uint64_t sign = std::uint64_t{1} << (f.exponent_bits + f.fraction_bits);
  return (negative && !only_exponent(f) ? sign : 0) | (saturate ? largest(f) : beyond(f));
}

// The same number in another format: inf stays inf where there is one. NaN has no answer here.
std::uint64_t converted(std::uint64_t bits, const Layout& from, const Layout& to, bool saturate) {
  const Value x = decode(bits, from);
  if (x.kind == Kind::nan) throw std::logic_error("NaN");
  if (x.kind == Kind::number) return rounded(x, to, Mode::nearest_even, saturate);
  return rounded_infinity(x.negative, to, saturate);
}

// Exact: two significands of at most 53 bits.
Value product(const Value& a, const Value& b) {
  if (bit_length(a.significand) + bit_length(b.significand) > 120)
    throw std::logic_error("too long");
  return {a.negative != b.negative, a.significand * b.significand, a.exponent + b.exponent};
}

// At least 64 right bits and whether there are more; a divisor of at most 53 bits.
Value quotient(const Value& a, const Value& b) {
  if (a.significand == 0) return {a.negative != b.negative};
  const Value dividend = normalized(a);
  const uint128 q = dividend.significand / b.significand;
  const bool more = dividend.significand % b.significand != 0;
  // Filled up to 120 bits, where there is a rest by at least one. What was left out lies in those:
  // the last one is set for it, too far down for its size to matter.
  const int fill = 120 - bit_length(q);
  return {a.negative != b.negative, (q << fill) | (more ? 1u : 0u),
          dividend.exponent - b.exponent - fill, false};
}

// √(significand·2^exponent) for a significand of at most 60 bits: 60 right bits and whether there
// are more.
Value square_root(const Value& x) {
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

Value sum(const Value& a, const Value& b) {
  if (a.more || b.more) throw std::logic_error("bits that nobody knows");
  if (a.is_zero() && b.is_zero()) return {a.negative && b.negative};
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  // Both with 118 bits, the one with the larger magnitude first.
  Value large = a, small = b;
  for (Value* x : {&large, &small}) {
    const int shift = 118 - bit_length(x->significand);
    if (shift < 12) throw std::logic_error("too long");
    x->significand <<= shift;
    x->exponent -= shift;
  }
  if (small.exponent > large.exponent ||
      (small.exponent == large.exponent && small.significand > large.significand)) {
    const Value other = large;
    large = small;
    small = other;
  }
  // As far as it takes to shift all bits out.
  const int distance = std::min(large.exponent - small.exponent, bit_length(small.significand));
  const uint128 whole = small.significand >> distance;
  const bool lost = (whole << distance) != small.significand;
  uint128 total = large.significand;
  if (large.negative == small.negative)
    total += whole;
  else
    total -= whole + (lost ? 1 : 0);  // what was lost takes a little less than one more away
  if (total == 0) return {};
  // One bit more for what was lost. `large` ends in zeros where something was, so that it lies far
  // below what any format keeps.
  return {large.negative, (total << 1) | (lost ? 1u : 0u), large.exponent - 1, false};
}

Value fused(const Value& a, const Value& b, const Value& c) { return sum(product(a, b), c); }

// As it stands in a set.
std::uint64_t merged(std::uint64_t bits, const Layout& f) {
  const std::uint64_t sign = std::uint64_t{1} << (f.exponent_bits + f.fraction_bits);
  if (decode(bits, f).kind == Kind::nan) return kAnyNan;
  return bits == sign ? 0 : bits;
}

std::set<std::uint64_t> unscaled(const Value& x, const Value& scale, Unscale how, const Layout& w,
                                 const Layout& g) {
  const Layout& binary32 = kLayouts[2];
  const Layout& binary64 = kLayouts[3];
  std::set<std::uint64_t> result;
  const auto add = [&](std::uint64_t bits) { result.insert(merged(bits, g)); };
  add(rounded(quotient(x, scale), g));
  std::vector<Value> scales{scale};
  const Value narrow = decode(rounded(scale, binary32), binary32);
  if (narrow.kind == Kind::number && !narrow.is_zero()) scales.push_back(narrow);
  for (const Value& s : scales) {
    if (how == Unscale::division || how == Unscale::any)
      add(converted(rounded(quotient(x, s), w), w, g));
    const Value reciprocal = quotient({false, 1, 0}, s);
    std::vector<Value> factors;
    const std::uint64_t long_one = rounded(reciprocal, binary64);
    if (how == Unscale::reciprocal_binary32 || how == Unscale::any) {
      factors.push_back(decode(rounded(reciprocal, binary32), binary32));
      factors.push_back(decode(converted(long_one, binary64, binary32), binary32));
    }
    if (how == Unscale::reciprocal_binary64 || how == Unscale::any)
      factors.push_back(decode(long_one, binary64));
    for (const Value& r : factors) {
      if (r.kind == Kind::number)
        add(converted(rounded(product(x, r), w), w, g));
      else if (x.is_zero())
        result.insert(kAnyNan);
      else
        add(rounded_infinity(x.negative, g, false));
    }
  }
  return result;
}

std::uint64_t delivered(const Value& s, const Value& c, const Layout& f) {
  if (s.kind == Kind::nan || c.kind == Kind::nan) return kAnyNan;
  if (s.kind == Kind::number && c.kind == Kind::number) return merged(rounded(product(s, c), f), f);
  if (s.is_zero() || c.is_zero()) return kAnyNan;
  return merged(rounded_infinity(s.negative != c.negative, f, false), f);
}

}  // namespace ampcheck::reference::second
