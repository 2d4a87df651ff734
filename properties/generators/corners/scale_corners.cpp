#include "properties/generators/corners/scale_corners.hpp"

#include <algorithm>
#include <bit>

#include "properties/generators/corners/aim.hpp"
#include "reference/rounding.hpp"

namespace ampcheck::properties {

using namespace reference;  // the formats

namespace {

// The k of a scale odd·2^k: for numbers at one end of the range a third of the scales leave them
// about there, and a third take them to the other end where a scale of binary32 can.
int draw_scale_exponent(Draw& draw, OperandClass operand, const NumberFormat& f) {
  const auto between = [&](int low, int high) { return static_cast<int>(draw.between(low, high)); };
  constexpr int kFarthest = 110;
  const int range = f.max_exponent() - f.min_exponent(), p = f.precision();
  const std::int64_t third = draw.between(1, 3);
  switch (operand) {
    case OperandClass::subnormal:
      if (third == 1) return between(-16, 2);
      if (third == 2) return between(3, 40);
      return range < kFarthest ? between(range, range + p) : between(3, kFarthest);
    case OperandClass::largest:
      if (third == 1) return between(-3, 3);
      if (third == 2) return between(-40, 0);
      return range < kFarthest ? between(-range - p - 16, -range) : between(-kFarthest, 0);
    default:
      return draw.coin() ? between(-30, 30) : between(-kFarthest, kFarthest);
  }
}

// Whether c·odd, c the largest of so many bits that leaves it below a power of two, is rounded up
// to that where numbers have p bits: 2^t - r with r up to half an ulp, 2^(t-p-1).
bool may_carry(std::int64_t odd, int bits, int p) {
  const int t = bits + static_cast<int>(std::bit_width(static_cast<std::uint64_t>(odd))) - 1;
  std::int64_t r = 1;
  for (int i = 0; i < t; ++i) r = 2 * r % odd;
  return t > p && r <= std::int64_t{1} << (t - p - 1);
}

// Of short ones many products are half way, of some longer ones one lies just below a power of two.
std::int64_t draw_odd(Draw& draw, OperandClass operand, const NumberFormat& f) {
  if (draw.coin()) return draw.pick<std::int64_t>({1, 3, 5, 7});
  const int lost = operand == OperandClass::subnormal ? static_cast<int>(draw.between(1, 2)) : 0;
  std::int64_t odd = 1;
  for (int t = 0; t < kTriesOfAnAim; ++t) {
    odd = 2 * draw.between(4, 63) + 1;
    if (may_carry(odd, f.precision() - lost, f.precision())) break;
  }
  return odd;
}

struct FormatAndClass {
  const NumberFormat& delivered;
  OperandClass operand;

  bool is_of_eight_bits() const { return delivered.width == 8; }
  const NumberFormat& given() const { return is_of_eight_bits() ? binary32 : delivered; }
};

FormatAndClass draw_format_and_class(Draw& draw) {
  const NumberFormat& f =
      *draw.pick({&binary16, &bfloat16, &binary32, &binary64, &binary16, &bfloat16, &binary32,
                  &binary64, &float8_e4m3fn, &float8_e5m2});
  return {f, f.width == 8 ? OperandClass::normal : draw_class(draw)};
}

Corners draw_corners(Draw& draw, const FormatAndClass& of, const Rational& scale,
                     std::int64_t odd) {
  const NumberFormat &f = of.delivered, &given = of.given();
  // Normal numbers of the wider format, for any result.
  const auto exponent_for_a_result = [&] {
    return std::clamp(draw_exponent(draw, draw_class(draw), f) - scale.floor_log2(),
                      given.min_exponent(), given.max_exponent() - 1);
  };
  Corners made{&given, &f, {}};
  for (std::size_t i = 0; i < kCorners; ++i) {
    const Aim aim = draw_aim(draw, RoundedOperation::scale, of.operand, f);
    std::uint64_t c = 0;
    for (int t = 0; t < kTriesOfAnAim; ++t) {
      const bool goes_by_result =
          of.is_of_eight_bits() || (of.operand == OperandClass::normal && draw.coin());
      c = draw_at(draw, given,
                  goes_by_result ? exponent_for_a_result() : draw_exponent(draw, of.operand, f),
                  odd);
      if (rounding_situation(scale * value_of(c, given), f) == aim.situation) break;
    }
    made.coefficients.push_back(c);
  }
  return made;
}

}  // namespace

ScaleCorners draw_scale_corners(Draw& draw) {
  // The scale suits the first tensor, and as it happens the others.
  const FormatAndClass first = draw_format_and_class(draw);
  const std::int64_t odd = draw_odd(draw, first.operand, first.delivered);
  const int k = draw_scale_exponent(draw, first.operand, first.delivered);
  const Rational scale = Rational(odd) * Rational::power_of_two(k);
  ScaleCorners made{scalar(dyadic(odd, k, binary32), binary32), {}};
  made.tensors.push_back(draw_corners(draw, first, scale, odd));
  for (int more = 0; more < 3; ++more)
    made.tensors.push_back(draw_corners(draw, draw_format_and_class(draw), scale, odd));
  return made;
}

}  // namespace ampcheck::properties
