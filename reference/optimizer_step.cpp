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

// A hyper-parameter as given, and rounded to the format of the arithmetic.
std::vector<Rational> variants(const Rational& x, const NumberFormat& w) {
  std::vector<Rational> result{x};
  const std::uint64_t rounded = round_to(x, w);
  if (w.is_finite(rounded) && value_of(rounded, w) != x) result.push_back(value_of(rounded, w));
  return result;
}

// Sets of finite numbers of the wide format, in which the step is computed.
class Wide {
 public:
  Wide(const NumberFormat& parameter, const Policy& policy)
      : narrow_(parameter), wide_(wider(parameter, binary32)), policy_(policy) {}

  const NumberFormat& format() const { return wide_; }

  std::vector<Rational> values(const Admissible& set) const {
    std::vector<Rational> result;
    for (const std::uint64_t bits : set.patterns())
      if (set.format().is_finite(bits)) result.push_back(value_of(bits, set.format()));
    return result;
  }

  // c + a·b, kept wide or in the parameter's format.
  Admissible multiply_add(const Rational& c, const Rational& a, const Rational& b) const {
    const bool separate = policy_.step_arithmetic != StepArithmetic::fused;
    const bool fused = policy_.step_arithmetic != StepArithmetic::separate;
    Admissible result(wide_);
    const auto keep = [&](std::uint64_t bits) {
      result.add(bits);
      result.add(convert({&narrow_, convert({&wide_, bits}, narrow_)}, wide_));
    };
    const Rational product = a * b;
    if (fused) keep(round_to(c + product, wide_));
    if (separate) {
      const std::uint64_t rounded = round_to(product, wide_);
      if (!wide_.is_finite(rounded))
        keep(rounded);
      else
        keep(round_to(c + value_of(rounded, wide_), wide_));
    }
    if (policy_.may_flush) allow_flushing(result);
    return result;
  }

 private:
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
  const auto take = [&](const Rational& p, const Admissible& direction) {
    for (const Rational& d : wide.values(direction))
      for (const Rational& rate : variants(lr, w))
        for (const std::uint64_t bits : wide.multiply_add(p, -rate, d).patterns())
          result.parameter.add(convert({&w, bits}, p_format));
  };
  for (const Rational& p : wide.values(parameter)) {
    for (const Rational& g : wide.values(gradient)) {
      Admissible d(w);
      if (lambda.is_zero())
        d.add(round_to(g, w));
      else
        for (const Rational& decay : variants(lambda, w)) d.add(wide.multiply_add(g, decay, p));
      // The exact step, rounded once.
      Rational exact = g + lambda * p;
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
        for (const Rational& decay : variants(mu, w))
          for (const Rational& share : variants(Rational(1) - tau, w))
            for (const Rational& one : wide.values(d)) {
              const Rational damped = value_of(round_to(share * one, w), w);
              next.add(wide.multiply_add(damped, decay, b));
              const Rational kept = value_of(round_to(decay * b, w), w);
              next.add(wide.multiply_add(kept, share, one));
            }
        take(p, next);
        const Rational exact_next = mu * b + (Rational(1) - tau) * exact;
        next.add(round_to(exact_next, w));
        result.momentum->add(next);
        result.parameter.add(round_to(p - lr * exact_next, p_format));
      }
    }
  }
  if (gradient.is_interval() || parameter.is_interval()) result.parameter = result.parameter.hull();
  if (result.momentum && (gradient.is_interval() || parameter.is_interval()))
    result.momentum = result.momentum->hull();
  return result;
}

std::optional<Admissible> adam_step(const Admissible& parameter, const Admissible& gradient,
                                    Moments& moments, const Hyper& hyper) {
  const NumberFormat& p_format = parameter.format();
  if (!gradient.is_single() || !parameter.is_single() || !(p_format == binary32)) return {};
  if (gradient.may_be_non_finite() || parameter.may_be_non_finite()) return {};
  if (!hyper_value(hyper, "weight_decay").is_zero()) return {};
  const Rational g = value_of(gradient.single(), gradient.format());
  const Rational beta1 = hyper_value(hyper, "beta1"), beta2 = hyper_value(hyper, "beta2");
  const Rational first = beta1 * moments.first + (Rational(1) - beta1) * g;
  const Rational second = beta2 * moments.second + (Rational(1) - beta2) * g * g;
  ++moments.step;
  moments.first = first;
  moments.second = second;
  Rational power1(1), power2(1);
  for (std::int64_t t = 0; t < moments.step; ++t) power1 *= beta1, power2 *= beta2;
  for (const Rational& x : {beta1, beta2, first, second, power1, power2})
    if (!is_representable(x, binary32)) return {};
  Rational root;
  if (!(second / (Rational(1) - power2)).is_square(&root)) return {};
  const Rational denominator = root + hyper_value(hyper, "eps");
  const Rational update =
      denominator.is_zero() ? Rational(0)
                            : hyper_value(hyper, "lr") * first / (Rational(1) - power1) / denominator;
  const Rational u = Rational::power_of_two(-binary32.precision());
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
