#include "properties/generators/floats.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace ampcheck::properties {
namespace {

constexpr const char* kLacking = "a generator asked for a number that the format lacks";

std::uint64_t draw_sign(Draw& draw, const NumberFormat& f) {
  return draw.coin() ? f.sign_bit() : 0;
}

std::uint64_t draw_fraction(Draw& draw, const NumberFormat& f) {
  // Few, many, low and high bits: rounding looks at all of them.
  const std::uint64_t raw = draw.bits() & f.fraction_mask();
  switch (draw.between(0, 3)) {
    case 0:
      return raw & draw.bits();
    case 1:
      return raw | (draw.bits() & f.fraction_mask());
    default:
      return raw;
  }
}

}  // namespace

FloatClass float_class_of(std::uint64_t bits, const NumberFormat& f) {
  const std::uint64_t m = f.magnitude(bits);
  if (f.is_nan(bits)) return FloatClass::nan;
  if (f.is_infinite(bits)) return FloatClass::infinity;
  if (m == 0) return FloatClass::zero;
  if (m == 1) return FloatClass::min_subnormal;
  if (m == f.min_normal() - 1) return FloatClass::max_subnormal;
  if (m == f.min_normal()) return FloatClass::min_normal;
  if (m == f.max_finite()) return FloatClass::max_finite;
  if (m < f.min_normal()) return FloatClass::subnormal;
  const int exponent = static_cast<int>(m >> f.fraction_bits) - f.bias();
  if (exponent >= 0 && exponent <= f.fraction_bits) {
    const std::uint64_t below_one = (std::uint64_t{1} << (f.fraction_bits - exponent)) - 1;
    if ((m & below_one) == 0) return FloatClass::integer;
  }
  return FloatClass::normal;
}

std::uint64_t draw_of_class(Draw& draw, FloatClass wanted, const NumberFormat& f) {
  const std::uint64_t sign = draw_sign(draw, f);
  switch (wanted) {
    case FloatClass::zero:
      return sign;
    case FloatClass::subnormal:
      return sign | static_cast<std::uint64_t>(
                        draw.between(2, static_cast<std::int64_t>(f.min_normal()) - 2));
    case FloatClass::min_subnormal:
      return sign | 1;
    case FloatClass::max_subnormal:
      return sign | (f.min_normal() - 1);
    case FloatClass::min_normal:
      return sign | f.min_normal();
    case FloatClass::normal:
      return sign ^ draw_normal(draw, f, f.min_exponent(), f.max_exponent());
    case FloatClass::integer:
      return sign ^
             dyadic(draw.between(1, (std::int64_t{1} << std::min(f.precision(), 20)) - 1), 0, f);
    case FloatClass::max_finite:
      return sign | f.max_finite();
    case FloatClass::infinity:
      if (f.has_infinity()) return sign | f.infinity();
      [[fallthrough]];
    case FloatClass::nan:
      if (!f.has_infinity()) return sign | f.nan();
      return sign | f.exponent_mask() |
             static_cast<std::uint64_t>(
                 draw.between(1, static_cast<std::int64_t>(f.fraction_mask())));
  }
  throw std::logic_error("unknown class of floats");
}

std::uint64_t draw_any(Draw& draw, const NumberFormat& f) {
  return draw_of_class(draw, static_cast<FloatClass>(draw.between(0, kFloatClasses - 1)), f);
}

std::uint64_t draw_finite(Draw& draw, const NumberFormat& f) {
  return draw_of_class(draw, static_cast<FloatClass>(draw.between(0, kFloatClasses - 3)), f);
}

std::uint64_t draw_non_finite(Draw& draw, const NumberFormat& f) {
  return draw_of_class(draw, draw.coin() ? FloatClass::infinity : FloatClass::nan, f);
}

std::uint64_t draw_normal(Draw& draw, const NumberFormat& f, int low, int high) {
  low = std::clamp(low, f.min_exponent(), f.max_exponent());
  high = std::clamp(high, low, f.max_exponent());
  const auto field = static_cast<std::uint64_t>(draw.between(low, high) + f.bias());
  const std::uint64_t magnitude = (field << f.fraction_bits) | draw_fraction(draw, f);
  return draw_sign(draw, f) | std::min(magnitude, f.max_finite());
}

std::uint64_t dyadic(std::int64_t integer, int exponent, const NumberFormat& f) {
  if (integer == 0) return 0;
  const std::uint64_t sign = integer < 0 ? f.sign_bit() : 0;
  auto significand = static_cast<std::uint64_t>(integer < 0 ? -integer : integer);
  const int zeros = std::countr_zero(significand);
  significand >>= zeros;
  exponent += zeros;
  const int width = static_cast<int>(std::bit_width(significand));
  const int top = exponent + width - 1;
  if (width > f.precision() || top > f.max_exponent() || exponent < f.min_quantum())
    throw std::logic_error(kLacking);
  if (top < f.min_exponent()) return sign | (significand << (exponent - f.min_quantum()));
  const std::uint64_t fraction = (significand << (f.precision() - width)) & f.fraction_mask();
  const std::uint64_t magnitude =
      (static_cast<std::uint64_t>(top + f.bias()) << f.fraction_bits) | fraction;
  // float8_e4m3fn has a NaN where the largest significand of its highest binade would stand.
  if (magnitude > f.max_finite()) throw std::logic_error(kLacking);
  return sign | magnitude;
}

}  // namespace ampcheck::properties
