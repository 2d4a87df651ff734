#include "reference/clipping.hpp"

#include <algorithm>

#include "reference/distinct.hpp"
#include "reference/error_bounds.hpp"
#include "reference/scaling.hpp"

namespace ampcheck::reference {
namespace {

Rational nearest(const Rational& x, const NumberFormat& f) {
  return value_of(round_to(x, f, Rounding::nearest_even, Overflow::saturate), f);
}

// Formats that the limit may be rounded to before it is used.
std::vector<Rational> limits_in_use(const Number& limit, const NumberFormat& norm_format) {
  std::vector<Rational> limits{value_of(limit)};
  for (const NumberFormat* f : {&norm_format, &binary32}) {
    const std::uint64_t rounded = convert(limit, *f);
    if (!f->is_finite(rounded)) continue;
    add_missing(limits, value_of(rounded, *f));
  }
  return limits;
}

// The values of a clip formula for one norm and one element.
class Formula {
 public:
  Formula(const Policy& policy, const NumberFormat& norm_format, const Number& limit)
      : policy_(policy), nf_(norm_format), limits_(limits_in_use(limit, norm_format)) {}

  const Rational& smallest_limit() const {
    return *std::min_element(limits_.begin(), limits_.end());
  }
  const Rational& largest_limit() const {
    return *std::max_element(limits_.begin(), limits_.end());
  }
  // The norm with epsilon added, as it is compared with the limit. Unrounded it would compare in
  // the same way: rounding is monotone, and the limits are rounded, too.
  Rational smallest_norm(const Admissible& norm) const {
    return std::ranges::min(padded_norms(value_of(norm.lowest(), nf_)));
  }
  Rational largest_norm(const Admissible& norm) const {
    return std::ranges::max(padded_norms(value_of(norm.highest(), nf_)));
  }

  Admissible apply(const Number& g, const Number& norm) const {
    Admissible result(*g.format);
    const Rational value = value_of(g), n = value_of(norm);
    const Rational& exact_limit = limits_.front();
    const Rational padded = n + policy_.clip_epsilon;
    // limit/0 is inf, and min(inf, 1) is 1.
    const Rational divisor = max(padded, exact_limit);
    add(result, padded.is_zero() ? value : value * exact_limit / divisor, g);
    if (padded.is_zero()) return result;
    // The factor as a number of Python, which is binary64, of a norm that is none.
    if (policy_.clip_formula == ClipFormula::quotient && !(nf_ == binary64)) {
      const Rational factor = min(nearest(exact_limit / padded, binary64), 1);
      for (const Rational& kept : {factor, nearest(factor, wider(nf_, binary32))})
        multiply(result, value, kept, g);
    }
    for (const Rational& limit : limits_) {
      for (const Rational& sum : padded_norms(n)) {
        if (sum.is_zero()) continue;
        for (const Rational& factor : factors(sum, limit))
          multiply(result, value, min(factor, 1), g);
        for (const Rational& product : in_other_orders(value, sum, limit)) add(result, product, g);
        if (policy_.clip_formula == ClipFormula::quotient)
          add_narrow_quotient(result, value, sum, limit, g);
      }
      // Of a factor or a product that is flushed nothing is left, however large the element.
      if (policy_.may_flush)
        for (const Rational& intermediate :
             {limit, value * limit, limit / padded, value / padded, Rational(1) / padded})
          if (intermediate.abs() < smallest_normal(nf_)) result.add(0);
    }
    return result;
  }

 private:
  // In the format of the norm; by way of binary32 where that is wider.
  std::vector<Rational> rounded(const Rational& x) const {
    std::vector<Rational> result{nearest(x, nf_)};
    const NumberFormat& w = wider(nf_, binary32);
    if (w == nf_) return result;
    add_missing(result, nearest(nearest(x, w), nf_));
    return result;
  }

  // The same, and nothing where it overflows.
  std::vector<Rational> rounded_in_range(const Rational& x) const {
    if (!nf_.is_finite(round_to(x, nf_))) return {};
    return rounded(x);
  }

  // N + e, e as it is or rounded.
  std::vector<Rational> padded_norms(const Rational& n) const {
    std::vector<Rational> epsilons{policy_.clip_epsilon}, result;
    for (const NumberFormat* f : {&nf_, &wider(nf_, binary32)})
      epsilons.push_back(value_of(round_to(policy_.clip_epsilon, *f), *f));
    for (const Rational& epsilon : epsilons)
      for (Rational& sum : rounded(n + epsilon)) add_missing(result, std::move(sum));
    return result;
  }

  std::vector<Rational> factors(const Rational& sum, const Rational& limit) const {
    std::vector<Rational> result;
    const auto add_all = [&](const std::vector<Rational>& more) {
      result.insert(result.end(), more.begin(), more.end());
    };
    switch (policy_.clip_formula) {
      case ClipFormula::quotient:
        return rounded(limit / sum);
      case ClipFormula::reciprocal_product:
        for (const Rational& reciprocal : rounded_in_range(Rational(1) / sum))
          add_all(rounded(reciprocal * limit));
        // Of a norm so small that 1/norm is inf the factor is inf, and min(inf, 1) is 1.
        if (result.empty()) result.emplace_back(limit.sign());
        return result;
      case ClipFormula::limit_minimum:
        // min(1/N, 1/M) is 1/max(N, M), rounded or not: rounding is monotone.
        for (const Rational& reciprocal : rounded_in_range(Rational(1) / max(sum, limit)))
          add_all(rounded(limit * reciprocal));
        return result;
      case ClipFormula::exact:
        return {};
    }
    return {};
  }

  // The formula without a factor of its own: (g·M)/N, (g/N)·M and g/max(1, N/M), or (g·r)·M and
  // (g·M)·r with r the rounded reciprocal, which is what optax comes to under XLA, or
  // (g·M)·min(1/N, 1/M). None enlarges the element: a norm below every limit counts as the
  // smallest. Intermediate results that overflow give nothing.
  std::vector<Rational> in_other_orders(const Rational& value, const Rational& sum,
                                        const Rational& limit) const {
    std::vector<Rational> products;
    if (limit.is_zero()) return products;
    const Rational divisor = max(sum, smallest_limit());
    const std::vector<Rational> scaled = rounded_in_range(value * limit);
    switch (policy_.clip_formula) {
      case ClipFormula::quotient:
        for (const Rational& x : scaled) products.push_back(x / divisor);
        for (const Rational& x : rounded_in_range(value / divisor)) products.push_back(x * limit);
        for (const Rational& ratio : rounded_in_range(divisor / limit))
          products.push_back(value / max(ratio, 1));
        return products;
      case ClipFormula::reciprocal_product:
        for (const Rational& reciprocal : rounded_in_range(Rational(1) / divisor)) {
          for (const Rational& x : scaled) products.push_back(x * reciprocal);
          for (const Rational& x : rounded_in_range(value * reciprocal))
            products.push_back(x * limit);
        }
        return products;
      case ClipFormula::limit_minimum:
        for (const Rational& reciprocal : rounded_in_range(Rational(1) / max(sum, limit)))
          for (const Rational& x : scaled) products.push_back(x * reciprocal);
        return products;
      case ClipFormula::exact:
        break;
    }
    return products;
  }

  // (g/N)·M with the norm cast to the element's format first, all of it in that format: optax's
  // clip_by_global_norm.
  void add_narrow_quotient(Admissible& result, const Rational& value, const Rational& sum,
                           const Rational& limit, const Number& g) const {
    const NumberFormat& f = *g.format;
    if (wider(f, nf_) == f) return;
    const Number norm{&f, round_to(max(sum, smallest_limit()), f)};
    if (!norm.is_finite() || value_of(norm).is_zero()) return;
    const Number ratio{&f, round_to(value / value_of(norm), f)};
    if (!ratio.is_finite()) return;
    for (const Rational& m : {limit, nearest(limit, f)})
      result.add(round_to(value_of(ratio) * m, f));
  }

  // g·factor; the factor also cast first, to binary32 or the element's format, which is what torch
  // does with a scalar tensor of a wider format.
  void multiply(Admissible& result, const Rational& value, const Rational& factor,
                const Number& g) const {
    add(result, value * factor, g);
    for (const NumberFormat* f : {&binary32, g.format}) {
      if (wider(*f, nf_) == *f) continue;
      const std::uint64_t narrow = round_to(factor, *f, Rounding::nearest_even, Overflow::saturate);
      add(result, value * value_of(narrow, *f), g);
    }
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

// g times a factor that is computed as 1 in the format of the norm: within (1±v)² of it.
Admissible nearly(const Admissible& element, const NumberFormat& norm_format) {
  const NumberFormat& f = element.format();
  const NumberFormat& w = wider(norm_format, f);
  const Rational v = relative_error(norm_format);
  const Rational up = (Rational(1) + v) * (Rational(1) + v);
  const Rational down = (Rational(1) - v) * (Rational(1) - v);
  return element.map(f, [&](std::uint64_t bits) {
    if (!f.is_finite(bits)) return Admissible::of(f, bits);
    const Rational g = value_of(bits, f);
    Admissible result = Admissible::enclosing(f, g * down, g * up);
    for (const Rational& end : {g * down, g * up}) result.add(convert({&w, round_to(end, w)}, f));
    return result.hull();
  });
}

// With one of the forms in which the norm may be at hand.
Admissible clipped_by(const Admissible& norm, const Admissible& element, const Number& limit,
                      const Policy& policy) {
  const NumberFormat &g = element.format(), &nf = norm.format();
  const Formula formula(policy, nf, limit);
  Admissible result(g);
  if (formula.smallest_norm(norm) <= formula.largest_limit()) {
    result.add(element);
    if (policy.unneeded_clip_multiplies) result.add(nearly(element, nf));
  }
  if (formula.largest_norm(norm) >= formula.smallest_limit()) {
    result.add(element.map(g, [&](std::uint64_t bits) {
      return norm.map(g, [&](std::uint64_t n) { return formula.apply({&g, bits}, {&nf, n}); });
    }));
  }
  return result;
}

// S times the limit, as scaled gradients of the format are compared with it.
std::vector<Rational> scaled_limits(const Number& limit, const Rational& scale,
                                    const NumberFormat& f) {
  std::vector<Rational> result;
  for (const Rational& m : limits_in_use(limit, f)) add_missing(result, nearest(m * scale, f));
  return result;
}

// A finite element, with what lies beyond one of these limits at it.
Admissible clipped_to(const Admissible& element, const std::vector<Rational>& limits) {
  const NumberFormat& f = element.format();
  const auto [least, most] = std::minmax_element(limits.begin(), limits.end());
  return element.map(f, [&](std::uint64_t bits) {
    const Rational value = value_of(bits, f);
    Admissible result(f);
    if (value.abs() <= *most) result.add(bits);
    if (value.abs() >= *least)
      for (const Rational& m : limits)
        if (value.abs() >= m) result.add(round_to(value.sign() < 0 ? -m : m, f));
    return result;
  });
}

}  // namespace

Admissible clipped_by_norm(const Admissible& element, const Norm& norm, const Number& limit,
                           const Policy& policy) {
  const NumberFormat& g = element.format();
  if (element.may_be_non_finite() || norm.computed.may_be_non_finite())
    return Admissible::anything(g);
  Admissible result = clipped_by(norm.computed, element, limit, policy);
  if (norm.wide) result.add(clipped_by(*norm.wide, element, limit, policy));
  const Rational m = value_of(limit);
  if (!norm.exact) return result;
  const Exact padded = *norm.exact + policy.clip_epsilon;
  if (padded > Exact(m))
    result.add(element.map(g, [&](std::uint64_t bits) {
      return Admissible::of(g, round_to(Exact(value_of(bits, g) * m) / padded, g));
    }));
  return result;
}

Admissible clipped_by_value(const Admissible& element, const Number& limit,
                            const std::vector<Rational>& scales, const Policy& policy) {
  if (element.may_be_non_finite()) return Admissible::anything(element.format());
  const NumberFormat& g = element.format();
  std::vector<Rational> limits;
  for (const Rational& m : limits_in_use(limit, g)) limits.push_back(nearest(m, g));
  for (const Rational& scale : scales)
    for (const Rational& scaled : scaled_limits(limit, scale, g)) {
      const Admissible back = unscaled({&g, round_to(scaled, g)}, scale, g, policy);
      for (const std::uint64_t end : {back.lowest(), back.highest()})
        if (g.is_finite(end)) limits.push_back(value_of(end, g));
    }
  return clipped_to(element, limits);
}

Admissible clipped_scaled_by_value(const Admissible& element, const Number& limit,
                                   const std::vector<Rational>& scales) {
  if (element.may_be_non_finite()) return Admissible::anything(element.format());
  std::vector<Rational> limits;
  for (const Rational& scale : scales)
    for (Rational& scaled : scaled_limits(limit, scale, element.format()))
      limits.push_back(std::move(scaled));
  return clipped_to(element, limits);
}

}  // namespace ampcheck::reference
