#include "reference/clipping.hpp"

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

Rational unit_roundoff(const NumberFormat& f) { return Rational::power_of_two(-f.precision()); }

// True where no square and no partial sum of squares rounds in the accumulator, in any order.
bool squares_are_exact(std::span<const Magnitude> terms, const NumberFormat& accumulator) {
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
  return 2 * quantum >= accumulator.min_quantum() &&
         squares <= Rational::power_of_two(2 * quantum + accumulator.precision()) &&
         squares <= value_of(accumulator.max_finite(), accumulator);
}

// √(sum of squares) accumulated in one format and then rounded to another.
Admissible root_of_squares(std::span<const Magnitude> terms, const NumberFormat& accumulator,
                           const NumberFormat& output, bool may_flush) {
  Rational low, high;
  for (const Magnitude& term : terms) {
    low += term.low * term.low;
    high += term.high * term.high;
  }
  Admissible result(output);
  const auto narrowed = [&](const Rational& square) {
    const Exact root = Exact::square_root(square);
    result.add(convert({&accumulator, round_to(root, accumulator)}, output));
    return round_to(root, output);
  };
  if (squares_are_exact(terms, accumulator)) {
    result.add(narrowed(low));
    return result;
  }
  const std::size_t n = terms.size();
  const Rational u = unit_roundoff(accumulator);
  const Rational v_power = power(Rational(1) + u / (Rational(1) + u), n);
  const Rational lost = may_flush ? Rational::power_of_two(accumulator.min_exponent())
                                  : Rational::power_of_two(accumulator.min_quantum() - 1);
  const Rational error =
      (v_power - 1) * high + lost * v_power * Rational(static_cast<std::int64_t>(n));
  const std::uint64_t bottom = narrowed(max(low - error, 0));
  result.add(bottom);
  // A sum that may overflow makes the norm inf.
  const Rational top_square = high + error;
  const bool overflows = !accumulator.is_finite(round_to(top_square, accumulator));
  const std::uint64_t top =
      overflows && output.has_infinity() ? output.infinity() : narrowed(top_square);
  result.add(Admissible::between(output, bottom, top));
  return result;
}

const NumberFormat& widest(std::span<const GradientSets> tensors, const NumberFormat& at_least) {
  const NumberFormat* result = &at_least;
  for (const GradientSets& tensor : tensors)
    for (const Admissible& element : tensor) result = &wider(*result, element.format());
  return *result;
}

// Formats that the limit may be rounded to before it is used.
std::vector<Rational> limits_in_use(const Number& limit, const NumberFormat& norm_format) {
  std::vector<Rational> limits{value_of(limit)};
  for (const NumberFormat* f : {&norm_format, &binary32}) {
    const std::uint64_t rounded = convert(limit, *f);
    if (!f->is_finite(rounded)) continue;
    Rational value = value_of(rounded, *f);
    if (std::find(limits.begin(), limits.end(), value) == limits.end()) limits.push_back(std::move(value));
  }
  return limits;
}

// The values of a clip formula for one norm and one element.
class Formula {
 public:
  Formula(const Policy& policy, const NumberFormat& norm_format, const Number& limit)
      : policy_(policy), nf_(norm_format), limits_(limits_in_use(limit, norm_format)) {}

  Admissible apply(const Number& g, const Number& norm) const {
    Admissible result(*g.format);
    const Rational value = value_of(g), n = value_of(norm);
    const Rational& exact_limit = limits_.front();
    const Rational padded = n + policy_.clip_epsilon;
    if (padded >= exact_limit && !padded.is_zero()) add(result, value * exact_limit / padded, g);
    const Rational epsilon_rounded = value_of(round_to(policy_.clip_epsilon, nf_), nf_);
    for (const Rational& limit : limits_) {
      for (const Rational& epsilon : {policy_.clip_epsilon, epsilon_rounded}) {
        const Rational sum = rounded(n + epsilon);
        if (sum.is_zero()) continue;
        for (const Rational& factor : factors(sum, limit))
          add(result, value * min(factor, 1), g);
        for (const Rational& product : in_other_orders(value, sum, limit)) add(result, product, g);
        if (policy_.clip_epsilon.is_zero()) break;
      }
      if (policy_.clip_formula == ClipFormula::limit_minimum && !n.is_zero() && limit.sign() > 0) {
        const Rational least = min(rounded(Rational(1) / n), rounded(Rational(1) / limit));
        add(result, rounded(value * limit) * least, g);
      }
    }
    return result;
  }

 private:
  Rational rounded(const Rational& x) const {
    const std::uint64_t bits = round_to(x, nf_, Rounding::nearest_even, Overflow::saturate);
    return value_of(bits, nf_);
  }

  std::vector<Rational> factors(const Rational& sum, const Rational& limit) const {
    switch (policy_.clip_formula) {
      case ClipFormula::quotient:
        return {rounded(limit / sum)};
      case ClipFormula::reciprocal_product:
        return {rounded(rounded(Rational(1) / sum) * limit)};
      case ClipFormula::limit_minimum:
        if (limit.sign() <= 0) return {0};
        return {rounded(limit * min(rounded(Rational(1) / sum), rounded(Rational(1) / limit)))};
      case ClipFormula::exact:
        return {};
    }
    return {};
  }

  // The formula without a factor of its own: (g·M)/N, (g/N)·M and g/max(1, N/M), or (g·r)·M and (g·M)·r with r
  // the rounded reciprocal (judging.md D5: c2, c3, c4; optax under XLA takes the reciprocal). Intermediate
  // results that overflow give nothing.
  std::vector<Rational> in_other_orders(const Rational& value, const Rational& sum,
                                        const Rational& limit) const {
    std::vector<Rational> products;
    const Rational scaled = value * limit;
    const bool holds = nf_.is_finite(round_to(scaled, nf_));
    if (policy_.clip_formula == ClipFormula::quotient) {
      if (holds) products.push_back(rounded(scaled) / sum);
      products.push_back(rounded(value / sum) * limit);
      if (limit.sign() > 0) products.push_back(value / max(rounded(sum / limit), 1));
    } else if (policy_.clip_formula == ClipFormula::reciprocal_product) {
      const Rational reciprocal = rounded(Rational(1) / sum);
      if (holds) products.push_back(rounded(scaled) * reciprocal);
      products.push_back(rounded(value * reciprocal) * limit);
    }
    return products;
  }

  // The product, rounded to the element's format at once, or first to the format of the norm.
  void add(Admissible& result, const Rational& product, const Number& g) const {
    const NumberFormat& w = wider(nf_, *g.format);
    result.add(round_to(product, *g.format));
    result.add(convert({&w, round_to(product, w)}, *g.format));
    if (policy_.may_flush) allow_flushing(result);
  }

  const Policy& policy_;
  const NumberFormat& nf_;
  std::vector<Rational> limits_;
};

// g within (1±v)² of itself.
Admissible nearly(const Admissible& element) {
  const NumberFormat& f = element.format();
  const Rational u = unit_roundoff(f), v = u / (Rational(1) + u);
  const Rational up = (Rational(1) + v) * (Rational(1) + v);
  const Rational down = (Rational(1) - v) * (Rational(1) - v);
  return element.map(f, [&](std::uint64_t bits) {
    if (!f.is_finite(bits)) return Admissible::of(f, bits);
    const Rational g = value_of(bits, f);
    Admissible result = Admissible::between(f, round_to(g * down, f), round_to(g * up, f));
    return result;
  });
}

}  // namespace

namespace {

Admissible computed_norm(std::span<const GradientSets> tensors, const Policy& policy) {
  const NumberFormat& accumulator = widest(tensors, binary32);
  const NumberFormat* gradient = &float8_e4m3fn;
  for (const GradientSets& tensor : tensors)
    for (const Admissible& element : tensor) gradient = &wider(*gradient, element.format());
  const NumberFormat& output =
      policy.narrow_norm && !(*gradient == float8_e4m3fn) ? *gradient : accumulator;
  std::vector<Magnitude> all;
  for (const GradientSets& tensor : tensors) {
    std::vector<Magnitude> own;
    for (const Admissible& element : tensor) own.push_back(magnitude_of(element));
    if (!policy.norm_of_tensor_norms) {
      all.insert(all.end(), own.begin(), own.end());
      continue;
    }
    if (own.empty()) continue;
    const NumberFormat& f = policy.narrow_norm ? tensor.front().format()
                                               : wider(tensor.front().format(), binary32);
    const Admissible partial = root_of_squares(own, accumulator, f, policy.may_flush);
    if (!f.is_finite(partial.highest()))
      return Admissible::between(output, convert({&f, partial.lowest()}, output),
                                 output.infinity());
    all.push_back(magnitude_of(partial));
  }
  return root_of_squares(all, accumulator, output, policy.may_flush);
}

}  // namespace

Norm norm_of(std::span<const GradientSets> tensors, const Policy& policy) {
  Norm norm{computed_norm(tensors, policy), std::nullopt};
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

Admissible clipped_by_norm(const Admissible& element, const Norm& whole, const Number& limit,
                           const Policy& policy) {
  const Admissible& norm = whole.computed;
  const NumberFormat &g = element.format(), &nf = norm.format();
  if (element.may_be_non_finite() || norm.may_be_non_finite()) return Admissible::anything(g);
  const Rational m = value_of(limit);
  const Rational lowest = value_of(norm.lowest(), nf) + policy.clip_epsilon;
  const Rational highest = value_of(norm.highest(), nf) + policy.clip_epsilon;
  Admissible result(g);
  if (lowest <= m) {
    result.add(element);
    if (policy.unneeded_clip_multiplies) result.add(nearly(element));
  }
  if (whole.exact && *whole.exact + policy.clip_epsilon > Exact(m) && element.is_single()) {
    const Exact product = value_of(element.single(), g) * m;
    result.add(round_to(product / (*whole.exact + policy.clip_epsilon), g));
  }
  if (highest >= m) {
    const Formula formula(policy, nf, limit);
    result.add(element.map(g, [&](std::uint64_t bits) {
      return norm.map(g, [&](std::uint64_t n) { return formula.apply({&g, bits}, {&nf, n}); });
    }));
  }
  return result;
}

Admissible clipped_by_value(const Admissible& element, const Number& limit, const Rational& scale,
                            const Policy& policy) {
  const NumberFormat& g = element.format();
  if (element.may_be_non_finite()) return Admissible::anything(g);
  std::vector<Rational> limits;
  for (const Rational& m : limits_in_use(limit, g)) {
    limits.push_back(value_of(round_to(m, g, Rounding::nearest_even, Overflow::saturate), g));
    const Rational scaled = value_of(round_to(m * scale, g, Rounding::nearest_even, Overflow::saturate), g);
    for (const Admissible& back : {unscaled({&g, round_to(scaled, g)}, scale, g, policy)})
      for (const std::uint64_t end : {back.lowest(), back.highest()})
        if (g.is_finite(end)) limits.push_back(value_of(end, g));
  }
  const auto [least, most] = std::minmax_element(limits.begin(), limits.end());
  return element.map(g, [&](std::uint64_t bits) {
    const Rational value = value_of(bits, g);
    Admissible result(g);
    if (value.abs() <= *most) result.add(bits);
    if (value.abs() >= *least)
      for (const Rational& m : limits)
        if (value.abs() >= m) result.add(round_to(value.sign() < 0 ? -m : m, g));
    return result;
  });
}

}  // namespace ampcheck::reference
