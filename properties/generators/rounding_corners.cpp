#include "properties/generators/rounding_corners.hpp"

#include <algorithm>
#include <bit>

#include "properties/coverage/unreachable.hpp"
#include "reference/rounding.hpp"

namespace ampcheck::properties {

using namespace reference;  // the formats

namespace {

constexpr std::size_t kLength = 12;

// ±2^exponent times a significand that is one of: a power of two, all ones, few bits, any, or the
// largest whose product with `odd` is below a power of two. What is below the format's last place
// is cut off, and what is above its range is its largest number.
std::uint64_t draw_at(Draw& draw, const NumberFormat& f, int exponent, std::int64_t odd = 3) {
  const std::uint64_t one = std::uint64_t{1} << f.fraction_bits;
  std::uint64_t significand = one;
  switch (draw.between(0, 4)) {
    case 0:
      break;
    case 1:
      significand = 2 * one - 1;
      break;
    case 2:
      significand |= (draw.bits() & 3) << (f.fraction_bits - 2);
      significand |= draw.bits() & 3;
      break;
    case 3:
      significand = (one << 9) / static_cast<std::uint64_t>(odd);
      while (significand >= 2 * one) significand /= 2;
      break;
    default:
      significand |= draw.bits() & f.fraction_mask();
  }
  const std::uint64_t sign = draw.coin() ? f.sign_bit() : 0;
  if (exponent > f.max_exponent()) return sign | f.max_finite();
  if (exponent < f.min_exponent()) {
    const int cut = f.min_exponent() - exponent;
    return sign | std::max<std::uint64_t>(1, cut > f.fraction_bits ? 0 : significand >> cut);
  }
  const std::uint64_t magnitude = static_cast<std::uint64_t>(exponent + f.bias())
                                      << f.fraction_bits |
                                  (significand & f.fraction_mask());
  return sign | std::min(magnitude, f.max_finite());
}

// What is aimed at: the class of an operand and the situation of the result, each with the same
// chance where it can be reached.
struct Aim {
  OperandClass operand;
  RoundingSituation situation;
};

Aim draw_aim(Draw& draw, RoundedOperation operation, OperandClass operand, const NumberFormat& f) {
  for (;;) {
    const auto situation = static_cast<RoundingSituation>(draw.between(0, kRoundingSituations - 1));
    if (why_unreachable({operation, &f, operand, situation}).empty()) return {operand, situation};
  }
}

OperandClass draw_class(Draw& draw) {
  return draw.pick({OperandClass::subnormal, OperandClass::normal, OperandClass::largest});
}

// An exponent of the class; of normal numbers half lie near an end of the range.
int draw_exponent(Draw& draw, OperandClass wanted, const NumberFormat& f) {
  const auto between = [&](int low, int high) { return static_cast<int>(draw.between(low, high)); };
  if (wanted == OperandClass::subnormal) return between(f.min_quantum(), f.min_exponent() - 1);
  if (wanted == OperandClass::largest) return f.max_exponent();
  switch (draw.between(0, 3)) {
    case 0:
      return between(f.min_exponent(), f.min_exponent() + 3);
    case 1:
      return between(f.max_exponent() - f.precision() - 2, f.max_exponent() - 1);
    default:
      return between(f.min_exponent(), f.max_exponent() - 1);
  }
}

// How far apart the exponents of two terms are: mostly so that the smaller one ends about half an
// ulp of the larger.
int draw_distance(Draw& draw, const NumberFormat& f) {
  const int p = f.precision();
  return static_cast<int>(draw.chance(3) ? draw.between(0, p - 2) : draw.between(p - 2, p + 1));
}

// After so many an aim is given up.
constexpr int kTries = 60;

// Two terms of which the sum is looked at, and the second one's class.
struct Terms {
  std::uint64_t first, second;
};

Terms draw_terms(Draw& draw, const NumberFormat& f) {
  const Aim aim = draw_aim(draw, RoundedOperation::accumulate, draw_class(draw), f);
  Terms terms{};
  for (int i = 0; i < kTries; ++i) {
    const int exponent = draw_exponent(draw, aim.operand, f), distance = draw_distance(draw, f);
    const bool is_smaller = aim.operand == OperandClass::largest || draw.chance(4);
    const int other = exponent + (is_smaller ? -distance : distance);
    terms = {draw_at(draw, f, std::clamp(other, f.min_quantum(), f.max_exponent())),
             draw_at(draw, f, exponent)};
    const Rational sum = value_of(terms.first, f) + value_of(terms.second, f);
    if (rounding_situation(sum, f) == aim.situation) break;
  }
  return terms;
}

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
  for (int t = 0; t < kTries; ++t) {
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
  for (std::size_t i = 0; i < kLength; ++i) {
    const Aim aim = draw_aim(draw, RoundedOperation::scale, of.operand, f);
    std::uint64_t c = 0;
    for (int t = 0; t < kTries; ++t) {
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

UnscaleCorners draw_unscale_corners(Draw& draw) {
  const NumberFormat& f = *draw.pick({&binary32, &binary64});
  // Twice the largest number over 2 is what only S = 1/2 makes infinite.
  const bool overflows = draw.chance(5);
  const std::int64_t n = overflows ? 1 : draw.pick<std::int64_t>({1, 2, 3, 5, 6, 7, 10, 12});
  const int k = static_cast<int>(overflows     ? -1
                                 : draw.coin() ? draw.between(-20, 20)
                                 : draw.coin() ? draw.between(20, 110)
                                               : draw.between(-110, -20));
  UnscaleCorners made{
      &f, scalar(dyadic(n, k, binary32), binary32), n, {}, overflows || draw.coin()};
  const int highest = f.max_exponent() - std::max(k, 0);
  const Rational cotangent = Rational::power_of_two(k), times = made.comes_twice ? 2 : 1;
  for (std::size_t i = 0; i < kLength; ++i) {
    const Aim aim = draw_aim(draw, RoundedOperation::unscale, draw_class(draw), f);
    std::uint64_t c = 0;
    for (int t = 0; t < kTries; ++t) {
      const int exponent = draw_exponent(draw, aim.operand, f) - (draw.coin() ? k : 0);
      c = draw_at(draw, f, std::clamp(exponent, f.min_quantum(), highest), n);
      const std::uint64_t x =
          round_to(times * value_of(round_to(cotangent * value_of(c, f), f), f), f);
      if (f.is_finite(x) && operand_class(x, f) == aim.operand &&
          rounding_situation(value_of(x, f) / (cotangent * n), f) == aim.situation)
        break;
    }
    made.coefficients.push_back(c);
  }
  return made;
}

SumCorners draw_sum_corners(Draw& draw) {
  const NumberFormat& f = *draw.pick({&binary32, &binary64});
  SumCorners made{&f, {}, {}};
  for (std::size_t i = 0; i < kLength; ++i) {
    const Terms terms = draw_terms(draw, f);
    made.first.push_back(terms.first);
    made.second.push_back(terms.second);
  }
  return made;
}

ClipCorners draw_clip_corners(Draw& draw) {
  struct Squares {
    std::vector<std::int64_t> integers;
    std::int64_t norm;
  };
  const auto gradient = [&](const Squares& squares, int base) {
    std::vector<std::uint64_t> bits;
    for (const std::int64_t integer : squares.integers)
      bits.push_back(dyadic(draw.coin() ? integer : -integer, base, binary32));
    return bits;
  };
  if (draw.chance(6)) {  // a subnormal element beside a normal one, and half of each or less
    const Squares squares{{1 << 12, (1 << 22) - 1}, (1 << 22) + 1};
    const int base = -139, down = static_cast<int>(draw.between(1, 3));
    return {gradient(squares, base), scalar(dyadic(squares.norm, base - down, binary32), binary32)};
  }
  const Squares squares = draw.pick<Squares>(
      {{{1, 1, 1, 1}, 2}, {{3, 2, 1, 1, 1}, 4}, {{5, 5, 3, 2, 1}, 8}, {{15, 5, 2, 1, 1}, 16}});
  const int base = static_cast<int>(draw.between(-10, 20));
  ClipCorners made{gradient(squares, base), {}};
  if (draw.chance(3))
    for (int more = 0; more < 3; ++more)
      made.gradient.push_back(draw_at(draw, binary32, static_cast<int>(draw.between(-149, -120))));
  // Near the norm, or near the smallest normal number.
  const int exponent =
      static_cast<int>(draw.chance(3) ? draw.between(-126, -118) : base + draw.between(-4, 0));
  const std::uint64_t limit = draw.coin()
                                  ? draw_normal(draw, binary32, exponent, exponent)
                                  : draw_at(draw, binary32, exponent, squares.integers.front());
  made.limit = scalar(limit & ~binary32.sign_bit(), binary32);
  return made;
}

StepCorners draw_step_corners(Draw& draw) {
  const NumberFormat& f = *draw.pick({&binary16, &bfloat16, &binary32, &binary64});
  const int log2_of_rate = static_cast<int>(
      draw.chance(3) ? draw.between(-f.precision() - 8, -f.precision() + 2) : draw.between(-8, 0));
  StepCorners made{&f, {}, {}, scalar_power_of_two(log2_of_rate, binary64)};
  const Rational rate = Rational::power_of_two(log2_of_rate);
  for (std::size_t i = 0; i + 1 < kLength; ++i) {
    const Aim aim = draw_aim(draw, RoundedOperation::step,
                             f == binary16 ? OperandClass::normal : draw_class(draw), f);
    std::uint64_t p = 0, g = 0;
    for (int t = 0; t < kTries; ++t) {
      const int exponent = draw_exponent(draw, aim.operand, f), distance = draw_distance(draw, f);
      const bool overflows = aim.situation == RoundingSituation::into_overflow;
      const int of_parameter =
          overflows ? f.max_exponent()
                    : exponent + log2_of_rate + (draw.chance(4) ? -distance : distance);
      g = draw_at(draw, f, exponent);
      p = aim.situation == RoundingSituation::into_zero || draw.chance(6)
              ? 0
              : draw_at(draw, f, std::clamp(of_parameter, f.min_quantum(), f.max_exponent()));
      if (rounding_situation(value_of(p, f) - rate * value_of(g, f), f) == aim.situation) break;
    }
    made.parameters.push_back(p);
    made.gradients.push_back(g);
  }
  made.parameters.push_back(0);
  made.gradients.push_back(power_of_two(0, f));
  return made;
}

}  // namespace ampcheck::properties
