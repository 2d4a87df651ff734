// Operands that aim at a situation of rounding: next to half way between two numbers and on it,
// below a power of two, in the subnormal range and below it, and at the overflow threshold.
#pragma once

#include <cstdint>

#include "properties/coverage/coverage.hpp"
#include "properties/generators/floats.hpp"

namespace ampcheck::properties {

// Elements of a tensor.
inline constexpr std::size_t kCorners = 12;
// After so many candidates an aim is given up.
inline constexpr int kTriesOfAnAim = 60;

// What is aimed at: the class of an operand and the situation of the result.
struct Aim {
  OperandClass operand;
  RoundingSituation situation;
};
// Each situation that numbers of the class can reach has the same chance.
Aim draw_aim(Draw&, RoundedOperation, OperandClass, const NumberFormat& result);
// Subnormal, normal or largest.
OperandClass draw_class(Draw&);

// ±2^exponent times a significand that is one of: a power of two, all ones, few bits, any, or the
// largest whose product with `odd` is below a power of two. What is below the format's last place
// is cut off, and what is above its range is its largest number.
std::uint64_t draw_at(Draw&, const NumberFormat&, int exponent, std::int64_t odd = 3);

// An exponent of the class; of normal numbers half lie near an end of the range.
int draw_exponent(Draw&, OperandClass, const NumberFormat&);

// How far apart the exponents of two terms are: mostly so that the smaller one ends about half an
// ulp of the larger.
int draw_distance(Draw&, const NumberFormat&);

}  // namespace ampcheck::properties
