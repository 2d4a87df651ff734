#include "reference/scaling.hpp"

#include <initializer_list>

#include "reference/error_bounds.hpp"
#include "reference/round_quotient.hpp"

namespace ampcheck::reference {
namespace {

bool is_subnormal(const Number& x) { return x.format->is_subnormal(x.bits); }

// Scales under which the product or quotient may be formed: as declared, and rounded to binary32,
// which is the loss's format in a binary64 host scale's path to the device.
std::vector<Rational> scales_in_use(const Rational& scale) {
  std::vector<Rational> scales{scale};
  const std::uint64_t rounded = round_to(scale, binary32);
  if (binary32.is_finite(rounded) && !binary32.is_zero(rounded)) {
    Rational narrow = value_of(rounded, binary32);
    if (narrow != scale) scales.push_back(std::move(narrow));
  }
  return scales;
}

struct Arithmetic {
  bool division;
  std::vector<const NumberFormat*> reciprocals;
};

Arithmetic arithmetic_of(UnscaleArithmetic declared) {
  switch (declared) {
    case UnscaleArithmetic::division:
      return {true, {}};
    case UnscaleArithmetic::reciprocal_binary32:
      return {false, {&binary32}};
    case UnscaleArithmetic::reciprocal_binary64:
      return {false, {&binary64}};
    case UnscaleArithmetic::either:
      return {true, {&binary32, &binary64}};
  }
  return {};
}

// 1/S in a format: at once, and by way of binary64. For a scale of binary32 these are the same: 53
// bits are more than 2·24 + 2.
std::vector<Number> reciprocals_of(const Rational& scale, const NumberFormat& v, bool is_long) {
  std::vector<Number> result{{&v, round_quotient(1, scale, v)}};
  if (!is_long) return result;
  const Number twice{&v, convert({&binary64, round_quotient(1, scale, binary64)}, v)};
  if (!(twice == result.front())) result.push_back(twice);
  return result;
}

// What x is divided by, or multiplied with, under a scale.
struct Ways {
  std::vector<Rational> divisors;
  std::vector<Number> reciprocals;  // each may have overflowed
};

Ways ways_to_unscale(const Rational& scale, UnscaleArithmetic declared) {
  const Arithmetic arithmetic = arithmetic_of(declared);
  const bool is_long = !is_representable(scale, binary32);
  Ways result;
  for (const Rational& s : scales_in_use(scale)) {
    if (arithmetic.division) result.divisors.push_back(s);
    for (const NumberFormat* v : arithmetic.reciprocals)
      for (const Number& reciprocal : reciprocals_of(s, *v, is_long))
        result.reciprocals.push_back(reciprocal);
  }
  return result;
}

// True where a number that is not zero lies, before it is rounded, below the smallest normal one.
// Whether flushing goes by the number before or after rounding differs from machine to machine.
bool is_tiny(const Rational& exact, const NumberFormat& f) {
  return !exact.is_zero() && exact.abs() < smallest_normal(f);
}

// a/b rounded to W and then to the output.
void add_quotient(Admissible& set, const Rational& a, const Rational& b, const NumberFormat& w,
                  bool negative, bool may_flush) {
  const Number wide{&w, round_quotient(a, b, w, negative)};
  set.add(convert(wide, set.format()));
  if (may_flush && (is_tiny(a / b, w) || is_tiny(a / b, set.format()))) set.add(0);
}

}  // namespace

void allow_flushing(Admissible& set) {
  if (!set.has_ends()) return;
  const NumberFormat& f = set.format();
  if (f.is_subnormal(set.lowest()) || f.is_subnormal(set.highest())) set.add(0);
}

std::uint64_t seed_of(const Rational& scale, const NumberFormat& loss_format) {
  return round_to(scale, loss_format);
}

Admissible divided_seed(const Number& seed, std::int64_t n) {
  if (!seed.is_finite()) return Admissible::of(seed);
  const NumberFormat& f = *seed.format;
  const Rational s = value_of(seed), count(n);
  Admissible result(f);
  for (const NumberFormat* w : {&f, &wider(f, binary32)}) {
    const Rational reciprocal = value_of(round_to(Rational(1) / count, *w), *w);
    for (const Rational& exact : {s / count, s * reciprocal})
      result.add(convert({w, round_to(exact, *w)}, f));
  }
  return result;
}

Admissible delivered(const Number& cotangent, const Number& coefficient, const NumberFormat& f,
                     bool may_flush) {
  const NumberFormat &sf = *cotangent.format, &cf = *coefficient.format;
  const bool s_finite = cotangent.is_finite(), c_finite = coefficient.is_finite();
  const bool negative = sf.is_negative(cotangent.bits) != cf.is_negative(coefficient.bits);
  if (!s_finite || !c_finite) {
    const bool has_nan = sf.is_nan(cotangent.bits) || cf.is_nan(coefficient.bits);
    const bool has_zero = sf.is_zero(cotangent.bits) || cf.is_zero(coefficient.bits);
    if (has_nan || has_zero) return Admissible::nan(f);
    const Number infinite{&binary32, binary32.infinity() | (negative ? binary32.sign_bit() : 0)};
    return Admissible::of(f, convert(infinite, f));  // NaN, or the largest number, in some
  }
  Admissible result =
      Admissible::of(f, round_to(value_of(cotangent) * value_of(coefficient), f,
                                 Rounding::nearest_even, Overflow::standard, negative));
  if (may_flush && (is_tiny(value_of(cotangent) * value_of(coefficient), f) ||
                    is_subnormal(coefficient) || is_subnormal(cotangent)))
    result.add(0);
  return result;
}

Admissible unscaled(const Number& x, const Rational& scale, const NumberFormat& output,
                    const Policy& policy) {
  if (!x.is_finite()) return Admissible::of(output, convert(x, output));
  const Rational value = value_of(x);
  const NumberFormat& w = wider(*policy.unscale_format, *x.format);
  const bool negative = x.format->is_negative(x.bits);
  Admissible result = Admissible::of(output, round_quotient(value, scale, output, negative));
  if (policy.may_flush && is_subnormal(x)) result.add(0);
  // Where S and hence 1/S are powers of two inside every format, all arithmetics agree.
  const Ways ways = ways_to_unscale(scale, policy.unscale);
  for (const Rational& divisor : ways.divisors)
    add_quotient(result, value, divisor, w, negative, policy.may_flush);
  for (const Number& reciprocal : ways.reciprocals) {
    if (reciprocal.is_finite()) {
      add_quotient(result, value * value_of(reciprocal), 1, w, negative, policy.may_flush);
      if (policy.may_flush && is_subnormal(reciprocal)) result.add(0);
      continue;
    }
    // 1/S overflowed: x·inf. A subject that lets this happen has an unusable scale, which is judged
    // on its own; what follows from it is what its arithmetic gives.
    const NumberFormat& v = *reciprocal.format;
    const Number infinite{&v, v.infinity() | (negative ? v.sign_bit() : 0)};
    result.add(value.is_zero() ? Admissible::nan(output)
                               : Admissible::of(output, convert(infinite, output)));
  }
  return result;
}

std::optional<Interval> unscaled_exactly(const Number& x, const Rational& scale,
                                         const Policy& policy) {
  if (!x.is_finite()) return {};
  const Rational value = value_of(x);
  const Ways ways = ways_to_unscale(scale, policy.unscale);
  Interval result(value / scale);
  for (const Rational& divisor : ways.divisors) result = hull(result, value / divisor);
  for (const Number& reciprocal : ways.reciprocals) {
    if (!reciprocal.is_finite()) return {};
    result = hull(result, value * value_of(reciprocal));
  }
  return result;
}

bool is_usable(const Rational& scale, const NumberFormat& loss_format, const Policy& policy) {
  const auto positive_finite = [&](const Rational& x, const NumberFormat& f) {
    const std::uint64_t bits = round_to(x, f);
    if (!f.is_finite(bits) || f.is_zero(bits) || f.is_negative(bits)) return false;
    return !(policy.may_flush && f.is_subnormal(bits));
  };
  if (!positive_finite(scale, loss_format)) return false;
  for (const NumberFormat* v : arithmetic_of(policy.unscale).reciprocals)
    if (!positive_finite(Rational(1) / scale, *v)) return false;
  return true;
}

}  // namespace ampcheck::reference
