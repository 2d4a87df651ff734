#include "reference/norm.hpp"

#include <algorithm>
#include <cstdlib>

#include "reference/accumulation.hpp"
#include "reference/error_bounds.hpp"
#include "reference/power_norm.hpp"
#include "reference/root.hpp"
#include "reference/scaling.hpp"
#include "reference/shifted.hpp"

namespace ampcheck::reference {
namespace {

Magnitude magnitude_of(const Admissible& element) {
  const Rational a = value_of(element.lowest(), element.format());
  const Rational b = value_of(element.highest(), element.format());
  if (a.sign() < 0 && b.sign() > 0) return {0, max(-a, b)};
  return {min(a.abs(), b.abs()), max(a.abs(), b.abs())};
}

// What is asked for.
struct Question {
  const Policy& policy;
  NormOrder order;
  int shift;  // of every element, by 2^-shift
};

Magnitudes magnitudes_of(const GradientSets& tensor, int shift = 0) {
  Magnitudes result;
  for (const Admissible& element : tensor) result.push_back(magnitude_of(element));
  if (shift == 0) return result;
  const Rational factor = Rational::power_of_two(-shift);
  for (Magnitude& one : result) one = {one.low * factor, one.high * factor};
  return result;
}

Admissible sum_of_squares(const Magnitudes& terms, const NumberFormat& accumulator,
                          const Policy& policy) {
  Sum sum(accumulator);
  for (const Magnitude& term : terms)
    sum.add_product(term.low * term.low, term.high * term.high, Products::any);
  return sum.result(policy);
}

// What stands for a number beyond the range.
Admissible overflowed(const NumberFormat& f) {
  return Admissible::of(f, round_to(Rational::power_of_two(f.max_exponent() + 1), f));
}

// √squares, rounded to the format in which they were summed and then to another, or to that at
// once.
Admissible root_of(const Admissible& squares, const NumberFormat& output, const Policy& policy) {
  const NumberFormat& accumulator = squares.format();
  Admissible result = squares.map(output, [&](std::uint64_t bits) {
    // A sum that overflows makes the norm inf, or what stands for it.
    if (!accumulator.is_finite(bits)) return overflowed(output);
    const Exact root = Exact::square_root(value_of(bits, accumulator));
    Admissible rounded(output);
    rounded.add_rounded(root, accumulator);
    return rounded;
  });
  // An interval that ends in NaN, which has no place in the order of the numbers.
  if (squares.is_interval() && result.may_be_finite() && result.may_be_non_finite())
    result.add(output.max_finite());
  if (policy.may_flush) allow_flushing(result);
  return squares.is_single() ? result : result.hull();
}

// The norm of elements that were divided by the largest or gone through one by one, as norm.hpp has
// it.
Admissible rescaled_norm(const Magnitudes& terms, const NumberFormat& accumulator,
                         const NumberFormat& output, const Policy& policy) {
  Rational low, high, largest;
  std::size_t n = 0;
  for (const Magnitude& term : terms) {
    if (term.high.is_zero()) continue;
    largest = max(largest, term.high);
    if (!policy.may_flush || term.low >= smallest_normal(accumulator)) low += term.low * term.low;
    high += term.high * term.high;
    ++n;
  }
  Admissible result(output);
  if (n == 0) return Admissible::of(output, 0);
  const NumberFormat& f = accumulator;
  const bool reciprocal_is_subnormal = largest * smallest_normal(f) > Rational(1);
  const std::size_t roundings = std::max(5 * n - 1, n + (reciprocal_is_subnormal ? 16 : 8));
  const Rational relative = growth_bound(roundings, f);
  low *= max(Rational(1) - relative, 0);
  high *= Rational(1) + relative;
  // Chained hypots of subnormal numbers are off by one eta each, which is more than any relative
  // error there.
  Rational absolute;
  if (low < smallest_normal(f) * smallest_normal(f))
    absolute = Rational::power_of_two(f.min_quantum()) * static_cast<std::int64_t>(n - 1) *
               (Rational(1) + growth_bound(3 * n, f));
  for (const Exact& end :
       {Exact::square_root(low) - Exact(absolute), Exact::square_root(high) + Exact(absolute)})
    result.add_rounded(end.sign() < 0 ? Exact(0) : end, f);
  if (policy.may_flush) allow_flushing(result);
  if (policy.may_flush && reciprocal_is_subnormal) result.add(0);
  return result.hull();
}

Admissible norm_of_level(const Magnitudes& terms, const NumberFormat& accumulator,
                         const NumberFormat& output, const Question& asked) {
  const Policy& policy = asked.policy;
  if (asked.order.is_infinite) return largest_magnitude(terms, output, policy);
  if (asked.order.p != 2) return power_norm(terms, asked.order.p, accumulator, output, policy);
  if (policy.norm_is_rescaled) return rescaled_norm(terms, accumulator, output, policy);
  return root_of(sum_of_squares(terms, accumulator, policy), output, policy);
}

// The format that holds the numbers of both; where neither does, binary32 does, as in torch's
// promotion of binary16 and bfloat16.
const NumberFormat& promoted(const NumberFormat& a, const NumberFormat& b) {
  const auto holds = [](const NumberFormat& x, const NumberFormat& y) {
    return x.precision() >= y.precision() && x.max_exponent() >= y.max_exponent() &&
           x.min_quantum() <= y.min_quantum();
  };
  return holds(a, b) ? a : holds(b, a) ? b : binary32;
}

const NumberFormat& widest(std::span<const GradientSets> tensors, const NumberFormat& at_least) {
  const NumberFormat* result = &at_least;
  for (const GradientSets& tensor : tensors)
    for (const Admissible& element : tensor) result = &wider(*result, element.format());
  return *result;
}

const NumberFormat& output_format(std::span<const GradientSets> tensors,
                                  const NumberFormat& accumulator, const Policy& policy) {
  const NumberFormat* gradient = nullptr;
  for (const GradientSets& tensor : tensors)
    for (const Admissible& element : tensor)
      gradient = gradient == nullptr ? &element.format() : &promoted(*gradient, element.format());
  return policy.narrow_norm && gradient != nullptr ? *gradient : accumulator;
}

// Every tensor's norm first, then the norm of those, each level in its own format or the widest
// gradient's.
Admissible norm_of_norms(std::span<const GradientSets> tensors, const NumberFormat& at_least,
                         const NumberFormat& at_least_then, const NumberFormat& output,
                         const Question& asked) {
  const Policy& policy = asked.policy;
  Magnitudes norms;
  bool may_overflow = false;
  for (const GradientSets& tensor : tensors) {
    if (tensor.empty()) continue;
    const NumberFormat& f = tensor.front().format();
    const NumberFormat& accumulator = wider(f, at_least);
    const Admissible norm = norm_of_level(magnitudes_of(tensor, asked.shift), accumulator,
                                          policy.narrow_norm ? f : accumulator, asked);
    if (!norm.may_be_finite()) return norm.converted(output);
    may_overflow = may_overflow || norm.may_be_non_finite();
    norms.push_back(
        {value_of(norm.lowest(), norm.format()), value_or_largest(norm.highest(), norm.format())});
  }
  Admissible result = norm_of_level(norms, widest(tensors, at_least_then), output, asked);
  if (!may_overflow) return result;
  result.add(overflowed(output));
  return result.hull();
}

// The squares of all elements in one sum, in which tensors of a narrower format may come as sums of
// their own.
Admissible norm_of_all(std::span<const GradientSets> tensors, const NumberFormat& at_least,
                       const NumberFormat& output, const Question& asked) {
  const Policy& policy = asked.policy;
  const NumberFormat& accumulator = widest(tensors, at_least);
  Magnitudes all;
  Sum of_sums(accumulator);
  bool several = false;
  for (const GradientSets& tensor : tensors) {
    if (tensor.empty()) continue;
    const Magnitudes own = magnitudes_of(tensor, asked.shift);
    all.insert(all.end(), own.begin(), own.end());
    const NumberFormat& f = wider(tensor.front().format(), at_least);
    several = several || !(f == accumulator);
    if (f == accumulator)
      for (const Magnitude& term : own)
        of_sums.add_product(term.low * term.low, term.high * term.high, Products::any);
    else
      of_sums.add(sum_of_squares(own, f, policy));
  }
  Admissible norm = norm_of_level(all, accumulator, output, asked);
  if (asked.order != NormOrder{}) {
    // Sums of another p have a root each, or none.
    if (several) norm.add(norm_of_norms(tensors, at_least, at_least, output, asked));
    return norm;
  }
  if (several && !policy.norm_is_rescaled)
    norm.add(root_of(of_sums.result(policy), output, policy));
  return norm;
}

// Accumulated in `at_least` or the widest gradient's format where that is wider.
Admissible computed_norm(std::span<const GradientSets> tensors, const NumberFormat& at_least,
                         const Question& asked) {
  const Policy& policy = asked.policy;
  const NumberFormat& output = output_format(tensors, widest(tensors, at_least), policy);
  if (policy.norm_of_tensor_norms) {
    Admissible norm = norm_of_norms(tensors, at_least, at_least, output, asked);
    // Norms in binary32 may be added as Python's numbers, which are binary64.
    if (norm.may_be_finite()) norm.add(norm_of_norms(tensors, binary32, binary64, output, asked));
    return norm;
  }
  Admissible norm = norm_of_all(tensors, at_least, output, asked);
  // Whether elements are divided by the largest of their tensor or of all is left open.
  if (policy.norm_is_rescaled) norm.add(norm_of_norms(tensors, at_least, at_least, output, asked));
  return norm;
}

// The exponent of the largest element, where its square might leave the range of binary32 or
// nearly so; else 0. Elements of the narrow formats are then left alone, whose own exponents a
// shift could leave.
int exponent_of_largest(std::span<const GradientSets> tensors) {
  constexpr int kHarmless = 40;
  Rational largest;
  for (const GradientSets& tensor : tensors)
    for (const Magnitude& one : magnitudes_of(tensor)) largest = max(largest, one.high);
  if (largest.is_zero()) return 0;
  const int exponent = largest.floor_log2();
  return std::abs(exponent) <= kHarmless ? 0 : exponent;
}

bool holds_subnormals(std::span<const GradientSets> tensors) {
  for (const GradientSets& tensor : tensors)
    for (const Admissible& element : tensor) {
      const Magnitude x = magnitude_of(element);
      if (!x.high.is_zero() && x.low < smallest_normal(element.format())) return true;
    }
  return false;
}

// The exact sum of powers, or the largest magnitude.
Magnitude exact_powers(std::span<const GradientSets> tensors, NormOrder order) {
  Magnitude result;
  for (const GradientSets& tensor : tensors)
    for (const Magnitude& term : magnitudes_of(tensor)) {
      if (order.is_infinite) {
        result = {max(result.low, term.low), max(result.high, term.high)};
      } else {
        result.low += power(term.low, order.p);
        result.high += power(term.high, order.p);
      }
    }
  return result;
}

}  // namespace

Norm Norm::non_finite() {
  Norm norm{Admissible(binary32), std::nullopt, std::nullopt};
  norm.computed.add_non_finite();
  return norm;
}

Norm norm_of(std::span<const GradientSets> tensors, const Policy& policy, NormOrder order,
             Exponents exponents) {
  // Elements over the largest have such squares anyhow, and a reciprocal that may be subnormal.
  const bool shifts = exponents == Exponents::unbounded && !policy.norm_is_rescaled;
  const int shift = shifts ? exponent_of_largest(tensors) : 0;
  const Question asked{policy, order, shift};
  Norm norm{computed_norm(tensors, binary32, asked), std::nullopt, std::nullopt};
  const NumberFormat& output = norm.computed.format();
  // As good an implementation as any goes through binary64, or through exact numbers.
  Admissible wide = computed_norm(tensors, binary64, asked);
  const bool overflows = !norm.computed.may_be_finite();
  if (!overflows) norm.computed.add(wide.converted(output));
  if (shift != 0) {
    norm.computed = shifted(norm.computed, shift);
    wide = shifted(wide, shift);
    if (policy.may_flush && holds_subnormals(tensors))
      norm.computed.add(computed_norm(tensors, binary32, {policy, order, 0}));
  }
  if (!policy.narrow_norm) norm.wide = wide;
  const auto [low, high] = exact_powers(tensors, order);
  const bool is_root = !order.is_infinite && order.p > 1;
  if (is_root && order.p != 2) {
    for (const Rational& powers : {low, high})
      if (!overflows) norm.computed.add(round_to(Root(powers, order.p), output));
    return norm;
  }
  const auto exact = [&](const Rational& powers) {
    return is_root ? Exact::square_root(powers) : Exact(powers);
  };
  if (!overflows)
    for (const Rational& powers : {low, high}) norm.computed.add(round_to(exact(powers), output));
  if (low == high) norm.exact = exact(low);
  return norm;
}

}  // namespace ampcheck::reference
