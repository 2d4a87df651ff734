#include "reference/optimizer_step.hpp"

#include <algorithm>
#include <vector>

#include "reference/scaling.hpp"

namespace ampcheck::reference {
namespace {

Rational hyper_value(const Hyper& hyper, const char* name) {
  const auto found = hyper.find(name);
  return found == hyper.end() ? Rational(0) : value_of(found->second);
}

void add_missing(std::vector<Rational>& list, Rational x) {
  if (std::find(list.begin(), list.end(), x) == list.end()) list.push_back(std::move(x));
}

// A hyper-parameter as given, and rounded to the format of the arithmetic.
std::vector<Rational> variants(const Rational& x, const NumberFormat& w) {
  std::vector<Rational> result{x};
  const std::uint64_t rounded = round_to(x, w);
  if (w.is_finite(rounded)) add_missing(result, value_of(rounded, w));
  return result;
}

// 1 - x, of x as given or rounded.
std::vector<Rational> complements(const Rational& x, const NumberFormat& w) {
  std::vector<Rational> result;
  for (const Rational& given : variants(x, w))
    for (const Rational& rest : variants(Rational(1) - given, w)) add_missing(result, rest);
  return result;
}

// Sets of finite numbers of the wide format, in which the step is computed.
class Wide {
 public:
  Wide(const NumberFormat& parameter, const Policy& policy)
      : narrow_(parameter), wide_(wider(parameter, binary32)), policy_(policy) {}

  const NumberFormat& format() const { return wide_; }

  // The numbers of a list, or the ends of an interval, which a step that is taken knows to be
  // finite.
  std::vector<Rational> values(const Admissible& set) const {
    const NumberFormat& f = set.format();
    std::vector<Rational> result;
    for (const std::uint64_t bits : set.patterns()) {
      if (f.is_finite(bits))
        add_missing(result, value_of(bits, f));
      else if (set.is_interval())
        add_missing(result, value_of(f.max_finite() | (bits & f.sign_bit()), f));
    }
    return result;
  }

  // x rounded, and kept wide or in the parameter's format. Overflow of the parameter's format is
  // the step's own only where gradients, too, are declared to be kept in it.
  std::vector<std::uint64_t> kept(const Rational& x) const {
    const std::uint64_t rounded = round_to(x, wide_);
    const std::uint64_t narrowed = convert({&narrow_, convert({&wide_, rounded}, narrow_)}, wide_);
    const bool overflows = wide_.is_finite(rounded) && !wide_.is_finite(narrowed);
    if (rounded == narrowed || (overflows && !policy_.narrow_accumulator)) return {rounded};
    return {rounded, narrowed};
  }

  // A product as an operation of its own; inf is left to the caller. Flushing may take it or a
  // factor away.
  std::vector<std::uint64_t> product(const Rational& a, const Rational& b) const {
    std::vector<std::uint64_t> result = kept(a * b);
    if (may_be_flushed(a) || may_be_flushed(b) || may_be_flushed(a * b)) result.push_back(0);
    return result;
  }

  // c + a·b, kept wide or in the parameter's format.
  Admissible multiply_add(const Rational& c, const Rational& a, const Rational& b) const {
    Admissible result(wide_);
    const auto add_sum = [&](const Rational& x, const Rational& y) {
      for (const std::uint64_t bits : kept(x + y)) result.add(bits);
      if (may_be_flushed(x)) result.add(kept(y).front());
      if (may_be_flushed(x + y)) result.add(0);
    };
    if (policy_.step_arithmetic != StepArithmetic::separate) {
      add_sum(c, a * b);
      if (may_be_flushed(a) || may_be_flushed(b)) add_sum(c, 0);
    }
    if (policy_.step_arithmetic != StepArithmetic::fused) {
      for (const std::uint64_t bits : product(a, b)) {
        if (wide_.is_finite(bits))
          add_sum(c, value_of(bits, wide_));
        else
          result.add(bits);
      }
    }
    return result;
  }

 private:
  bool may_be_flushed(const Rational& x) const {
    return policy_.may_flush && !x.is_zero() &&
           x.abs() < Rational::power_of_two(wide_.min_exponent());
  }

  const NumberFormat& narrow_;
  const NumberFormat& wide_;
  const Policy& policy_;
};

}  // namespace

SgdResult sgd_step(const Admissible& parameter, const Admissible& gradient,
                   const std::optional<Admissible>& momentum, const Hyper& hyper,
                   const Policy& policy) {
  const NumberFormat& p_format = parameter.format();
  const Wide wide(p_format, policy);
  const NumberFormat& w = wide.format();
  const Rational lr = hyper_value(hyper, "lr"), mu = hyper_value(hyper, "momentum");
  const Rational tau = hyper_value(hyper, "dampening"), lambda = hyper_value(hyper, "weight_decay");

  SgdResult result{Admissible(p_format), std::nullopt};
  if (!mu.is_zero()) result.momentum = Admissible(w);
  // What an earlier step has made infinite stays so or becomes NaN; the rules say no more of it.
  if (parameter.may_be_non_finite() || (momentum && momentum->may_be_non_finite())) {
    result.parameter = Admissible::anything(p_format);
    if (result.momentum) result.momentum = Admissible::anything(w);
    return result;
  }
  const auto take = [&](const Rational& p, const Admissible& direction) {
    for (const Rational& rate : variants(lr, w)) {
      for (const Rational& d : wide.values(direction))
        for (const std::uint64_t bits : wide.multiply_add(p, -rate, d).patterns())
          result.parameter.add(convert({&w, bits}, p_format));
      // A direction that overflowed on its way.
      for (const std::uint64_t bits : {w.infinity(), w.infinity() | w.sign_bit()})
        if (!direction.is_interval() && direction.contains(bits) && !rate.is_zero())
          result.parameter.add(
              convert({&w, bits ^ (rate.sign() > 0 ? w.sign_bit() : 0)}, p_format));
    }
  };
  for (const Rational& p : wide.values(parameter)) {
    for (const Rational& g : wide.values(gradient)) {
      Admissible d(w);
      if (lambda.is_zero())
        for (const std::uint64_t bits : wide.kept(g)) d.add(bits);
      else
        for (const Rational& decay : variants(lambda, w)) d.add(wide.multiply_add(g, decay, p));
      // The exact step, rounded once.
      const Rational exact = g + lambda * p;
      if (mu.is_zero()) {
        take(p, d);
        result.parameter.add(round_to(p - lr * exact, p_format));
        continue;
      }
      if (!momentum) {  // first step: b = d
        result.momentum->add(d);
        take(p, d);
        result.parameter.add(round_to(p - lr * exact, p_format));
        continue;
      }
      for (const Rational& b : wide.values(*momentum)) {
        Admissible next(w);
        const auto add_sums = [&](const std::vector<std::uint64_t>& terms, const Rational& factor,
                                  const Rational& other) {
          for (const std::uint64_t term : terms) {
            if (w.is_finite(term))
              next.add(wide.multiply_add(value_of(term, w), factor, other));
            else
              next.add(term);
          }
        };
        for (const Rational& decay : variants(mu, w))
          for (const Rational& share : complements(tau, w))
            for (const Rational& one : wide.values(d)) {
              add_sums(wide.product(share, one), decay, b);
              add_sums(wide.product(decay, b), share, one);
            }
        take(p, next);
        const Rational exact_next = mu * b + (Rational(1) - tau) * exact;
        next.add(round_to(exact_next, w));
        result.momentum->add(next);
        result.parameter.add(round_to(p - lr * exact_next, p_format));
      }
    }
  }
  // The step is monotone in each of them, so what lies between comes from between.
  if (gradient.is_interval() || parameter.is_interval() || (momentum && momentum->is_interval())) {
    result.parameter = result.parameter.hull();
    if (result.momentum) result.momentum = result.momentum->hull();
  }
  return result;
}

std::optional<Admissible> adam_step(const Admissible& parameter, const Admissible& gradient,
                                    Moments& moments, const Hyper& hyper) {
  const NumberFormat& p_format = parameter.format();
  // Once the moments are not known, no later step is.
  const auto unknown = [&] {
    moments.known = false;
    return std::nullopt;
  };
  if (!moments.known || !gradient.is_single() || !(p_format == binary32)) return unknown();
  if (gradient.may_be_non_finite() || parameter.may_be_non_finite()) return unknown();
  if (!hyper_value(hyper, "weight_decay").is_zero()) return unknown();
  const Rational g = value_of(gradient.single(), gradient.format());
  const Rational beta1 = hyper_value(hyper, "beta1"), beta2 = hyper_value(hyper, "beta2");
  const Rational rest1 = Rational(1) - beta1, rest2 = Rational(1) - beta2;
  const Rational old_first = moments.first, old_second = moments.second;
  const Rational first = beta1 * old_first + rest1 * g;
  const Rational second = beta2 * old_second + rest2 * g * g;
  ++moments.step;
  moments.first = first;
  moments.second = second;
  Rational power1(1), power2(1);
  for (std::int64_t t = 0; t < moments.step; ++t) power1 *= beta1, power2 *= beta2;
  // Every step on the way to the moments, as two products or as a linear interpolation.
  for (const Rational& x : {beta1,
                            beta2,
                            rest1,
                            rest2,
                            power1,
                            power2,
                            Rational(1) - power1,
                            Rational(1) - power2,
                            beta1 * old_first,
                            rest1 * g,
                            g - old_first,
                            rest1 * (g - old_first),
                            first,
                            beta2 * old_second,
                            g * g,
                            rest2 * g,
                            rest2 * g * g,
                            g * g - old_second,
                            rest2 * (g * g - old_second),
                            second})
    if (!is_representable(x, binary32)) return unknown();
  if (!parameter.is_single()) return {};
  Rational root;
  if (!(second / (Rational(1) - power2)).is_square(&root)) return {};
  const Rational denominator = root + hyper_value(hyper, "eps");
  const Rational update = denominator.is_zero() ? Rational(0)
                                                : hyper_value(hyper, "lr") * first /
                                                      (Rational(1) - power1) / denominator;
  const Rational u = unit_roundoff(binary32);
  const Rational up = Rational(1) + u / (Rational(1) + u), down = Rational(2) - up;
  Rational high(1), low(1);
  for (int rounding = 0; rounding < 12; ++rounding) high *= up, low *= down;
  const Rational p = value_of(parameter.single(), p_format);
  Admissible result = Admissible::of(p_format, round_to(p - update, p_format));
  result.add(Admissible::between(p_format, round_to(p - update * high, p_format),
                                 round_to(p - update * low, p_format)));
  return result;
}

}  // namespace ampcheck::reference
