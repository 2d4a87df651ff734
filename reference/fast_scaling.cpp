#include "reference/fast_scaling.hpp"

namespace ampcheck::reference::fast {
namespace {

std::uint64_t lone_sign_nan(const NumberFormat& f) {
  return f.is_nan(f.sign_bit()) ? f.sign_bit() : ~std::uint64_t{0};
}

constexpr std::uint64_t kOne = std::uint64_t{1} << 62;

}  // namespace

void Unscaling::add(const Way& way) {
  for (Way& other : std::span(ways_).first(count_))
    if (other.has_value_of(way)) {
      // Only the last way is not rounded twice where the others are.
      other.once = other.once || way.once;
      return;
    }
  ways_[count_++] = way;
}

void Unscaling::add_quotient(const Unrounded& s, bool through_w) {
  const bool twice = through_w && !(*w_.format == *output_.format);
  constexpr Uint128 kLargest = (Uint128{1} << 126) - 1;
  if (s.significand == kOne)
    add({kOne, 0, -s.exponent, !twice, twice});
  else
    add({static_cast<std::uint64_t>(kLargest / s.significand), s.significand, -s.exponent, !twice,
         twice});
}

void Unscaling::add_reciprocal(std::uint64_t bits, const Format& v) {
  if (bits > v.max_finite) {
    overflows_ = true;
    return;
  }
  const Unrounded r = decode(bits, v);
  const bool twice = !(*w_.format == *output_.format);
  add({r.significand, 0, r.exponent, !twice, twice});
}

std::optional<Unscaling> Unscaling::make(const NumberFormat& x, const Number& scale,
                                         const NumberFormat& output, const Policy& policy) {
  const NumberFormat& w = wider(*policy.unscale_format, x);
  if (!is_judged(x) || !is_judged(output) || !is_supported(*scale.format) || policy.may_flush ||
      !is_supported(w) || !w.has_infinity())
    return {};
  const bool positive =
      scale.is_finite() && !scale.format->is_negative(scale.bits) && scale.bits != 0;
  if (!positive) return {};

  Unscaling result(x, output, w);
  result.not_a_number_ = lone_sign_nan(x);
  static const Format kBinary32(binary32), kBinary64(binary64);
  const Unrounded declared = decode(scale.bits, Format(*scale.format));
  // As declared, and rounded to binary32.
  const std::uint64_t narrow_bits = rounded(declared, kBinary32);
  const Unrounded narrow = decode(narrow_bits, kBinary32);
  const bool narrow_is_usable = narrow_bits != 0 && narrow_bits <= kBinary32.max_finite;
  // What is rounded to another number has another significand: none is rounded to half or twice it.
  const bool is_long = !narrow_is_usable || narrow.significand != declared.significand;

  const UnscaleArithmetic arithmetic = policy.unscale;
  const bool either = arithmetic == UnscaleArithmetic::either;
  const Unrounded scales[] = {declared, narrow};
  for (const Unrounded& s : std::span(scales).first(is_long && narrow_is_usable ? 2 : 1)) {
    if (either || arithmetic == UnscaleArithmetic::division) result.add_quotient(s, true);
    const Unrounded reciprocal = quotient({kOne, 0, false}, s);
    const std::uint64_t in_binary64 = rounded(reciprocal, kBinary64);
    if (either || arithmetic == UnscaleArithmetic::reciprocal_binary32) {
      result.add_reciprocal(rounded(reciprocal, kBinary32), kBinary32);
      if (is_long) result.add_reciprocal(converted(in_binary64, kBinary64, kBinary32), kBinary32);
    }
    if (either || arithmetic == UnscaleArithmetic::reciprocal_binary64)
      result.add_reciprocal(in_binary64, kBinary64);
  }
  // The exact value, rounded once. Last, since few implementations work in fractions.
  result.add_quotient(declared, false);

  for (const Way& way : result.ways()) {
    const auto nearest = Nearest::make(result.x_, result.output_, way.factor, way.divisor,
                                       way.exponent, way.twice ? &result.w_ : nullptr);
    if (nearest) result.nearest_.push_back(*nearest);
  }
  if (std::ssize(result.nearest_) < result.count_) result.nearest_.clear();
  return result;
}

Patterns Unscaling::special(std::uint64_t x) const {
  const NumberFormat& f = *x_.format;
  Patterns result;
  if (f.is_zero(x)) {
    result.add(0);
    if (overflows_) result.add(output_.nan);
  } else if (f.is_nan(x) || !output_.format->has_infinity()) {
    result.add(output_.nan);
  } else {
    result.add(output_.beyond | (f.is_negative(x) ? output_.sign_bit : 0));
  }
  return result;
}

Patterns Unscaling::patterns(std::uint64_t x) const {
  const NumberFormat& f = *x_.format;
  if (!f.is_finite(x) || f.is_zero(x)) return special(x);
  const Unrounded value = decode(x, x_);
  Patterns result;
  for (const Way& way : ways()) {
    const Unrounded exact = scaled(value, way);
    if (way.once) result.add(once(exact));
    if (way.twice) result.add(twice(exact));
  }
  if (overflows_) result.add(overflowed(value.negative));
  return result;
}

std::optional<Delivery> Delivery::make(const Number& cotangent, const NumberFormat& coefficient,
                                       const NumberFormat& f, const Policy& policy) {
  if (!is_judged(coefficient) || !is_judged(f) || !is_supported(*cotangent.format) ||
      policy.may_flush)
    return {};
  Delivery result(coefficient, f);
  result.not_a_number_ = lone_sign_nan(coefficient);
  result.finite_ = cotangent.is_finite();
  result.nan_ = cotangent.format->is_nan(cotangent.bits);
  // Of inf the sign counts, and that it is not zero.
  result.cotangent_ = decode(cotangent.bits, Format(*cotangent.format));
  return result;
}

std::uint64_t Delivery::special(std::uint64_t c) const {
  const NumberFormat& f = *coefficient_.format;
  const bool zero = f.is_zero(c) || cotangent_.is_zero();
  if (nan_ || f.is_nan(c) || zero || !f_.format->has_infinity()) return f_.nan;
  return f_.beyond | (f.is_negative(c) != cotangent_.negative ? f_.sign_bit : 0);
}

}  // namespace ampcheck::reference::fast
