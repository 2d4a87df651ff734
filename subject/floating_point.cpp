#include "subject/floating_point.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace ampcheck::subject {

using reference::NumberFormat;

double to_double(std::uint64_t bits, const NumberFormat& f) {
  const double sign = f.is_negative(bits) ? -1.0 : 1.0;
  if (f.is_nan(bits)) return std::numeric_limits<double>::quiet_NaN();
  if (f.is_infinite(bits)) return sign * std::numeric_limits<double>::infinity();
  const std::uint64_t magnitude = f.magnitude(bits);
  const int field = static_cast<int>(magnitude >> f.fraction_bits);
  const std::uint64_t fraction = magnitude & f.fraction_mask();
  const std::uint64_t significand = field == 0 ? fraction : fraction | f.min_normal();
  return sign * std::ldexp(static_cast<double>(significand),
                           f.min_quantum() + (field == 0 ? 0 : field - 1));
}

double narrow(double x, const NumberFormat& f) {
  if (f.width == 64 || !std::isfinite(x) || x == 0) {
    if (std::isinf(x) && !f.has_infinity()) return std::numeric_limits<double>::quiet_NaN();
    return x;
  }
  if (f.width == 32) return static_cast<float>(x);
  // The unit in the last place at x; both scalings are exact, so that nearbyint rounds once.
  const int unit = std::max(std::ilogb(x) - f.fraction_bits, f.min_quantum());
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(x, -unit)), unit);
  if (std::fabs(rounded) <= to_double(f.max_finite(), f)) return rounded;
  return f.has_infinity() ? std::copysign(std::numeric_limits<double>::infinity(), x)
                          : std::numeric_limits<double>::quiet_NaN();
}

std::uint64_t to_bits(double x, const NumberFormat& f) {
  if (f.width == 64) return std::bit_cast<std::uint64_t>(x);
  const double value = narrow(x, f);
  if (f.width == 32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  const std::uint64_t sign = std::signbit(value) ? f.sign_bit() : 0;
  if (std::isnan(value)) return f.nan();
  if (std::isinf(value)) return sign | f.infinity();
  if (value == 0) return sign;
  const int exponent = std::max(std::ilogb(value), f.min_exponent());
  const auto significand =
      static_cast<std::uint64_t>(std::ldexp(std::fabs(value), f.fraction_bits - exponent));
  // A normal significand carries the hidden bit, which adds one to the exponent field.
  return sign | ((static_cast<std::uint64_t>(exponent - f.min_exponent()) << f.fraction_bits) +
                 significand);
}

}  // namespace ampcheck::subject
