#include "reference/power_norm.hpp"

#include <algorithm>
#include <cstdlib>

#include "reference/accumulation.hpp"
#include "reference/error_bounds.hpp"
#include "reference/root.hpp"
#include "reference/scaling.hpp"

namespace ampcheck::reference {
namespace {

// Four units in the last place, as roundings.
constexpr int kPowRoundings = 9;

// |x|^p as a pow or a chain of products gives it.
Magnitude power_of(const Magnitude& x, int p, const NumberFormat& f, const Policy& policy) {
  const int divided = policy.norm_is_rescaled ? 2 * p : 0;
  const Rational r =
      growth_bound(static_cast<std::size_t>(std::max(p - 1, kPowRoundings) + divided), f);
  Magnitude result{power(x.low, p) * (Rational(1) - r), power(x.high, p) * (Rational(1) + r)};
  const Rational normal = smallest_normal(f) * 2;
  if (result.low < normal) result.low = 0;
  if (!result.high.is_zero()) result.high = max(result.high, normal);
  return result;
}

// s^(1/p) of a sum.
Admissible root_of(const Rational& s, int p, const NumberFormat& accumulator,
                   const NumberFormat& output, const Policy& policy) {
  Admissible result(output);
  if (s.is_zero()) {
    result.add(0);
    return result;
  }
  const int log2 = std::max(std::abs(s.floor_log2()), std::abs(s.floor_log2() + 1));
  const int roundings =
      kPowRoundings + (7 * log2 + 10 * p - 1) / (10 * p) + (policy.norm_is_rescaled ? 1 : 0);
  const Rational r = growth_bound(static_cast<std::size_t>(roundings), accumulator);
  for (const Rational& factor : {Rational(1) - r, Rational(1) + r}) {
    const Root root(s * power(factor, p), p);
    result.add(round_to(root, output));
    result.add(convert({&accumulator, round_to(root, accumulator)}, output));
  }
  return result.hull();
}

}  // namespace

Admissible largest_magnitude(const Magnitudes& terms, const NumberFormat& output,
                             const Policy& policy) {
  Rational low, high;
  for (const Magnitude& term : terms) {
    low = max(low, term.low);
    high = max(high, term.high);
  }
  Admissible result = Admissible::enclosing(output, low, high);
  if (policy.may_flush) allow_flushing(result);
  return result;
}

Admissible power_norm(const Magnitudes& terms, int p, const NumberFormat& accumulator,
                      const NumberFormat& output, const Policy& policy) {
  Sum sum(accumulator);
  for (const Magnitude& term : terms) {
    const Magnitude one = p == 1 ? term : power_of(term, p, accumulator, policy);
    sum.add_product(one.low, one.high, Products::rounded);
  }
  const Admissible sums = sum.result(policy);
  if (p == 1) {
    Admissible result = sums.converted(output);
    if (policy.may_flush) allow_flushing(result);
    return result;
  }
  if (policy.norm_is_rescaled && sums.may_be_non_finite())
    return Admissible::between(output, 0, output.infinity());
  Admissible result = sums.map(output, [&](std::uint64_t bits) {
    if (!accumulator.is_finite(bits))
      return Admissible::of(output, convert({&accumulator, bits}, output));
    return root_of(value_of(bits, accumulator), p, accumulator, output, policy);
  });
  if (policy.may_flush) allow_flushing(result);
  return result.hull();
}

}  // namespace ampcheck::reference
