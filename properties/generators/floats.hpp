// Floats by bits. RapidCheck's stock generators never make NaN, inf, subnormals or -0.
#pragma once

#include <cstdint>
#include <vector>

#include "properties/draw.hpp"
#include "reference/number_format.hpp"

namespace ampcheck::properties {

using reference::NumberFormat;

// Classes of patterns. A generator states which it draws from, and quotas count them.
enum class FloatClass {
  zero,
  subnormal,
  min_subnormal,
  max_subnormal,
  min_normal,
  normal,
  integer,
  max_finite,
  infinity,
  nan
};
inline constexpr int kFloatClasses = 10;

FloatClass float_class_of(std::uint64_t bits, const NumberFormat& format);

// A pattern of the class, of either sign, in a format of the protocol. Where the format lacks the
// class (infinity in float8_e4m3fn), a NaN.
std::uint64_t draw_of_class(Draw&, FloatClass, const NumberFormat&);

// Any pattern: each class with the same chance.
std::uint64_t draw_any(Draw&, const NumberFormat&);
// Any finite pattern.
std::uint64_t draw_finite(Draw&, const NumberFormat&);
// inf of either sign, or NaN of any payload and sign.
std::uint64_t draw_non_finite(Draw&, const NumberFormat&);
// A normal number of either sign with low <= exponent <= high (clamped to the format's).
std::uint64_t draw_normal(Draw&, const NumberFormat&, int low_exponent, int high_exponent);

// The pattern of ±integer·2^exponent, which must be a number of the format.
std::uint64_t dyadic(std::int64_t integer, int exponent, const NumberFormat&);
inline std::uint64_t power_of_two(int exponent, const NumberFormat& f) {
  return dyadic(1, exponent, f);
}

}  // namespace ampcheck::properties
