#include "reference/norm.hpp"

#include <algorithm>

#include "reference/scaling.hpp"

namespace ampcheck::reference {
namespace {

// |g| of one element: bounds, equal where it is known.
struct Magnitude {
  Rational low, high;
};

Magnitude magnitude_of(const Admissible& element) {
  const Rational a = value_of(element.lowest(), element.format());
  const Rational b = value_of(element.highest(), element.format());
  if (a.sign() < 0 && b.sign() > 0) return {0, max(-a, b)};
  return {min(a.abs(), b.abs()), max(a.abs(), b.abs())};
}

Rational power(const Rational& base, std::size_t exponent) {
  Rational result(1), square(base);
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result *= square;
    if (exponent > 1) square *= square;
  }
  return result;
}

// Bounds of a sum of squares as it may have been computed.
struct Squares {
  Rational low, high;
  bool exact = true;  // low, in every order
};

// True where no square and no partial sum of squares rounds or is flushed in the accumulator, in
// any order.
bool squares_are_exact(std::span<const Magnitude> terms, const NumberFormat& accumulator,
                       bool may_flush) {
  int quantum = 0;
  bool any = false;
  Rational squares;
  for (const Magnitude& term : terms) {
    if (term.low != term.high || !term.low.is_dyadic()) return false;
    if (term.low.is_zero()) continue;
    quantum = any ? std::min(quantum, term.low.trailing_exponent()) : term.low.trailing_exponent();
    any = true;
    squares += term.low * term.low;
  }
  if (!any) return true;
  return 2 * quantum >= (may_flush ? accumulator.min_exponent() : accumulator.min_quantum()) &&
         squares <= Rational::power_of_two(2 * quantum + accumulator.precision()) &&
         squares <= value_of(accumulator.max_finite(), accumulator);
}

// What rounding may make of a sum of n squares.
Squares rounded_squares(const Rational& low, const Rational& high, std::size_t n,
                        const NumberFormat& accumulator, bool may_flush) {
  const Rational u = unit_roundoff(accumulator);
  const Rational v_power = power(Rational(1) + u / (Rational(1) + u), n);
  const Rational lost = Rational::power_of_two(may_flush ? accumulator.min_exponent()
                                                         : accumulator.min_quantum() - 1) *
                        v_power * Rational(static_cast<std::int64_t>(n));
  // The smallest comes from the smallest exact sum as long as the relative error is below 1.
  return {max(low * (Rational(2) - v_power) - lost, 0), high * v_power + lost, false};
}

Squares squares_of(std::span<const Magnitude> terms, const NumberFormat& accumulator,
                   bool may_flush) {
  Rational low, high;
  for (const Magnitude& term : terms) {
    low += term.low * term.low;
    high += term.high * term.high;
  }
  if (squares_are_exact(terms, accumulator, may_flush)) return {low, high, true};
  return rounded_squares(low, high, terms.size(), accumulator, may_flush);
}

// √squares, rounded to the format in which they were accumulated and then to another, or to that at
// once.
Admissible root_of(const Squares& squares, const NumberFormat& accumulator,
                   const NumberFormat& output, bool may_flush) {
  Admissible result(output);
  for (const Rational& square : {squares.low, squares.high}) {
    // A sum that may overflow makes the norm inf.
    if (!accumulator.is_finite(round_to(square, accumulator))) {
      const Rational beyond = Rational::power_of_two(output.max_exponent() + 1);
      result.add(Admissible::enclosing(output, beyond, beyond));
      continue;
    }
    const Exact root = Exact::square_root(square);
    result.add(convert({&accumulator, round_to(root, accumulator)}, output));
    result.add(round_to(root, output));
  }
  if (!squares.exact && result.may_be_non_finite() && !output.has_infinity())
    result.add(output.max_finite());
  if (may_flush) allow_flushing(result);
  return squares.exact ? result : result.hull();
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

// Accumulated in `at_least` or the widest gradient's format where that is wider.
Admissible computed_norm(std::span<const GradientSets> tensors, const NumberFormat& at_least,
                         const Policy& policy) {
  const NumberFormat& widest_accumulator = widest(tensors, at_least);
  const NumberFormat& output = output_format(tensors, widest_accumulator, policy);
  const bool flush = policy.may_flush;

  std::vector<Magnitude> all;
  Squares together;
  bool several = false, overflows = false;  // accumulators; one of the narrower ones
  for (const GradientSets& tensor : tensors) {
    if (tensor.empty()) continue;
    std::vector<Magnitude> own;
    for (const Admissible& element : tensor) own.push_back(magnitude_of(element));
    const NumberFormat& f = tensor.front().format();
    // A tensor's squares are summed in its own format where that is wider.
    const NumberFormat& accumulator = wider(f, at_least);
    const Squares squares = squares_of(own, accumulator, flush);
    if (!policy.norm_of_tensor_norms) {
      all.insert(all.end(), own.begin(), own.end());
      together = {together.low + squares.low, together.high + squares.high,
                  together.exact && squares.exact};
      several = several || !(accumulator == widest_accumulator);
      overflows = overflows || !accumulator.is_finite(round_to(squares.high, accumulator));
      continue;
    }
    const Admissible partial =
        root_of(squares, accumulator, policy.narrow_norm ? f : accumulator, flush);
    if (!partial.may_be_finite())
      return partial.map(output, [&](std::uint64_t bits) {
        return Admissible::of(output, convert({&partial.format(), bits}, output));
      });
    if (partial.may_be_non_finite())
      return Admissible::enclosing(output, 0, Rational::power_of_two(output.max_exponent() + 1));
    all.push_back(magnitude_of(partial));
  }
  Squares squares = squares_of(all, widest_accumulator, flush);
  // Tensors of several formats: each summed by itself first, or all in the widest.
  if (several && !(squares.exact && together.exact))
    squares = rounded_squares(min(squares.low, together.low), max(squares.high, together.high),
                              all.size(), widest_accumulator, flush);
  Admissible norm = root_of(squares, widest_accumulator, output, flush);
  if (several && overflows) norm.add_non_finite();
  return norm;
}

// The exact norm, give or take the roundings that norm.hpp counts.
Admissible rescaled_norm(std::span<const GradientSets> tensors, const NumberFormat& at_least,
                         const Policy& policy) {
  const NumberFormat& accumulator = widest(tensors, at_least);
  const NumberFormat& output = output_format(tensors, accumulator, policy);
  Rational low, high;
  std::size_t count = tensors.size();
  for (const GradientSets& tensor : tensors)
    for (const Admissible& element : tensor) {
      const Magnitude magnitude = magnitude_of(element);
      low += magnitude.low * magnitude.low;
      high += magnitude.high * magnitude.high;
      ++count;
    }
  const Rational u = unit_roundoff(accumulator), v = u / (Rational(1) + u);
  Admissible result(output);
  for (const Exact& end : {Exact::square_root(low) * power(Rational(1) - v, 3 * count + 6),
                           Exact::square_root(high) * power(Rational(1) + v, 3 * count + 6)}) {
    result.add(round_to(end, output));
    result.add(convert({&accumulator, round_to(end, accumulator)}, output));
  }
  if (policy.may_flush) allow_flushing(result);
  return result.hull();
}

}  // namespace

Norm norm_of(std::span<const GradientSets> tensors, const Policy& policy) {
  const auto computed = policy.norm_is_rescaled ? rescaled_norm : computed_norm;
  Norm norm{computed(tensors, binary32, policy), std::nullopt, std::nullopt};
  if (!policy.narrow_norm) norm.wide = computed(tensors, binary64, policy);
  Rational squares;
  for (const GradientSets& tensor : tensors)
    for (const Admissible& element : tensor) {
      if (!element.is_single()) return norm;
      const Rational g = value_of(element.single(), element.format());
      squares += g * g;
    }
  norm.exact = Exact::square_root(squares);
  return norm;
}

}  // namespace ampcheck::reference
