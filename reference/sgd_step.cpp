#include "reference/sgd_step.hpp"

#include <algorithm>
#include <vector>

#include "reference/distinct.hpp"
#include "reference/error_bounds.hpp"
#include "reference/scaling.hpp"

namespace ampcheck::reference {
namespace {

// A longer list becomes an interval: each step makes several patterns of each that it is given, and
// a state that nobody looks at would come to thousands in six steps.
constexpr std::size_t kMostPatterns = 32;

// The numbers of a list, or the ends of an interval, which a step that is taken knows to be finite.
std::vector<Rational> finite_values(const Admissible& set) {
  const NumberFormat& f = set.format();
  std::vector<Rational> result;
  for (const std::uint64_t bits : set.patterns()) {
    if (f.is_finite(bits) || set.is_interval()) add_missing(result, value_or_largest(bits, f));
  }
  return result;
}

// The same of an operand, which may be flushed in its own format.
std::vector<Rational> operands(const Admissible& set, const Policy& policy) {
  Admissible flushed = set;
  if (policy.may_flush) allow_flushing(flushed);
  return finite_values(flushed);
}

// The numbers of a list, inf and NaN with them.
std::vector<std::uint64_t> every_pattern(const Admissible& list) {
  std::vector<std::uint64_t> result = list.patterns();
  if (list.contains(list.format().nan())) result.push_back(list.format().nan());
  return result;
}

// Arithmetic in the wide format, in which the step is computed. Where an operand may be flushed, 0
// is one, too.
class Wide {
 public:
  Wide(const NumberFormat& parameter, const NumberFormat& state, const NumberFormat& wide,
       const Policy& policy)
      : narrow_(parameter), state_(state), wide_(wide), policy_(policy) {}

  // x rounded, and kept wide or in the format of the state or the parameter. Overflow of the
  // parameter's format is the step's own only where gradients, too, are declared to be kept in it.
  std::vector<std::uint64_t> kept(const Rational& x) const {
    const std::uint64_t rounded = round_to(x, wide_);
    std::vector<std::uint64_t> result{rounded};
    for (const NumberFormat* f : {&state_, &narrow_}) {
      const std::uint64_t narrowed = convert({f, convert({&wide_, rounded}, *f)}, wide_);
      const bool overflows = wide_.is_finite(rounded) && !wide_.is_finite(narrowed);
      if (!overflows || policy_.narrow_accumulator) add_missing(result, narrowed);
    }
    return result;
  }

  // Settings as operands.
  std::vector<Rational> operands(std::vector<Rational> settings) const {
    const auto is_flushed = [&](const Rational& x) { return may_be_flushed(x); };
    if (std::any_of(settings.begin(), settings.end(), is_flushed))
      add_missing(settings, Rational(0));
    return settings;
  }

  // A product as an operation of its own.
  std::vector<std::uint64_t> product(const Rational& a, const Rational& b) const {
    std::vector<std::uint64_t> result = kept(a * b);
    if (may_be_flushed(a * b)) result.push_back(0);
    return result;
  }

  std::vector<std::uint64_t> product(const Rational& a, std::uint64_t b) const {
    if (wide_.is_finite(b)) return product(a, value_of(b, wide_));
    if (wide_.is_nan(b) || a.is_zero()) return {wide_.nan()};  // 0·inf
    return {a.sign() > 0 ? b : b ^ wide_.sign_bit()};
  }

  // c + a·b, kept as its factors are.
  Admissible multiply_add(const Rational& c, const Rational& a, const Rational& b) const {
    Admissible result(wide_);
    const auto add_sum = [&](const Rational& x, const Rational& y) {
      for (const std::uint64_t bits : kept(x + y)) result.add(bits);
      if (may_be_flushed(x + y)) result.add(0);
    };
    if (policy_.step_arithmetic != StepArithmetic::separate) add_sum(c, a * b);
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
  Admissible multiply_add(std::uint64_t c, const Rational& a, std::uint64_t b) const {
    if (wide_.is_finite(c) && wide_.is_finite(b))
      return multiply_add(value_of(c, wide_), a, value_of(b, wide_));
    Admissible result(wide_);
    for (const std::uint64_t term : product(a, b)) result.add(sum_of_non_finite(c, term));
    return result;
  }

 private:
  // One of them at least is inf or NaN.
  std::uint64_t sum_of_non_finite(std::uint64_t a, std::uint64_t b) const {
    if (wide_.is_nan(a) || wide_.is_nan(b)) return wide_.nan();
    if (wide_.is_infinite(a) && wide_.is_infinite(b) && a != b) return wide_.nan();
    return wide_.is_infinite(a) ? a : b;
  }

  bool may_be_flushed(const Rational& x) const {
    return policy_.may_flush && x.abs() < smallest_normal(wide_);
  }

  const NumberFormat &narrow_, &state_, &wide_;
  const Policy& policy_;
};

// One step of one element in one intermediate format; `state` is the format that a buffer is kept
// in.
class SgdStep {
 public:
  SgdStep(const NumberFormat& parameter, const NumberFormat& state, const NumberFormat& wide,
          const Hyper& hyper, const Policy& policy)
      : parameter_(parameter),
        state_(state),
        w_(wide),
        policy_(policy),
        wide_(parameter, state, wide, policy),
        rates_(settings(hyper_value(hyper, "lr"), as_given_or_rounded)),
        decays_(settings(hyper_value(hyper, "weight_decay"), as_given_or_rounded)),
        keeps_(settings(hyper_value(hyper, "momentum"), as_given_or_rounded)),
        // torch rounds 1 - tau, too, to the parameter's format, as every scalar.
        shares_(settings(hyper_value(hyper, "dampening"), complements)),
        is_nesterov_(!hyper_value(hyper, "nesterov").is_zero()) {}

  void add_to(SgdResult& result, const Rational& p, const Rational& g,
              const std::optional<Admissible>& momentum) const {
    Admissible d(w_);
    for (const Rational& decay : decays_)
      if (decay.is_zero())
        for (const std::uint64_t bits : wide_.kept(g)) d.add(bits);
      else
        d.add(wide_.multiply_add(g, decay, p));
    // Without roundings on the way.
    std::vector<Rational> exact;
    for (const Rational& decay : decays_) add_missing(exact, g + decay * p);
    if (!result.momentum || !momentum) {  // the first step: b = d
      Admissible next = d;
      if (result.momentum) keep(*result.momentum, next);
      move_along(result.parameter, p, d, exact, next, exact);
      return;
    }
    for (const Rational& b : operands(*momentum, policy_)) {
      const std::uint64_t kept = round_to(b, w_);  // exact
      Admissible next(w_);
      std::vector<Rational> exact_next;
      for (const Rational& mu : keeps_)
        for (const Rational& share : shares_) {
          for (const std::uint64_t one : every_pattern(d)) {
            for (const std::uint64_t term : wide_.product(share, one))
              next.add(wide_.multiply_add(term, mu, kept));
            for (const std::uint64_t term : wide_.product(mu, b))
              next.add(wide_.multiply_add(term, share, one));
          }
          for (const Rational& one : exact) add_missing(exact_next, mu * b + share * one);
        }
      for (const Rational& one : exact_next) result.momentum->add(round_to(one, state_));
      keep(*result.momentum, next);
      move_along(result.parameter, p, d, exact, next, exact_next);
    }
  }

 private:
  // As given, or in the format of the arithmetic, of the state or of the parameter (JAX's weakly
  // typed scalars).
  std::vector<Rational> settings(const Rational& given,
                                 std::vector<Rational> (*ways)(const Rational&,
                                                               const NumberFormat&)) const {
    std::vector<Rational> result;
    for (const NumberFormat* f : {&w_, &state_, &parameter_})
      for (const Rational& one : ways(given, *f)) add_missing(result, one);
    return wide_.operands(result);
  }

  // The direction as the new buffer; the step may go on with what is stored.
  void keep(Admissible& momentum, Admissible& direction) const {
    const Admissible stored = direction.converted(state_);
    momentum.add(stored);
    if (!(w_ == state_)) direction.add(stored.converted(w_));
  }

  // Along the new buffer b, or with Nesterov along d + mu·b.
  void move_along(Admissible& result, const Rational& p, const Admissible& d,
                  const std::vector<Rational>& exact_d, const Admissible& b,
                  const std::vector<Rational>& exact_b) const {
    if (!is_nesterov_) return move(result, p, b, exact_b);
    Admissible ahead(w_);
    std::vector<Rational> exact;
    for (const Rational& mu : keeps_) {
      for (const std::uint64_t one : every_pattern(d))
        for (const std::uint64_t other : every_pattern(b))
          ahead.add(wide_.multiply_add(one, mu, other));
      for (const Rational& one : exact_d)
        for (const Rational& other : exact_b) add_missing(exact, one + mu * other);
    }
    move(result, p, ahead, exact);
  }

  // p - lr·d, d as computed, or exact with the difference rounded once.
  void move(Admissible& result, const Rational& p, const Admissible& direction,
            const std::vector<Rational>& exact) const {
    for (const Rational& rate : rates_) {
      for (const std::uint64_t d : every_pattern(direction))
        result.add(moved(p, rate, d).converted(parameter_));
      for (const Rational& d : exact) result.add(round_to(p - rate * d, parameter_));
    }
  }

  // Where d is not finite, p is nothing beside it.
  Admissible moved(const Rational& p, const Rational& rate, std::uint64_t d) const {
    return w_.is_finite(d) ? wide_.multiply_add(p, -rate, value_of(d, w_))
                           : wide_.multiply_add(std::uint64_t{0}, -rate, d);
  }

  const NumberFormat &parameter_, &state_, &w_;
  const Policy& policy_;
  const Wide wide_;
  const std::vector<Rational> rates_, decays_, keeps_, shares_;
  const bool is_nesterov_;
};

}  // namespace

SgdResult sgd_step(const Admissible& parameter, const Admissible& gradient,
                   const std::optional<Admissible>& momentum, const Hyper& hyper,
                   const Policy& policy) {
  const NumberFormat& p_format = parameter.format();
  const NumberFormat& state = wider(p_format, binary32);
  SgdResult result{Admissible(p_format), std::nullopt};
  if (!hyper_value(hyper, "momentum").is_zero()) result.momentum = Admissible(state);
  // What an earlier step has made infinite stays so or becomes NaN; the rules say no more of it.
  if (parameter.may_be_non_finite() || (momentum && momentum->may_be_non_finite())) {
    result.parameter = Admissible::anything(p_format);
    if (result.momentum) result.momentum = Admissible::anything(state);
    return result;
  }
  std::vector<const NumberFormat*> formats{&state};
  if (!(state == binary64)) formats.push_back(&binary64);
  for (const NumberFormat* wide : formats) {
    const SgdStep step(p_format, state, *wide, hyper, policy);
    for (const Rational& p : operands(parameter, policy))
      for (const Rational& g : operands(gradient, policy)) step.add_to(result, p, g, momentum);
  }
  // Stored in a shorter format than it was computed in.
  if (policy.may_flush) allow_flushing(result.parameter);
  // The step is monotone in each of them, so what lies between comes from between.
  const bool of_intervals =
      gradient.is_interval() || parameter.is_interval() || (momentum && momentum->is_interval());
  const auto tidied = [&](const Admissible& set) {
    return of_intervals || set.patterns().size() > kMostPatterns ? set.hull() : set;
  };
  result.parameter = tidied(result.parameter);
  if (result.momentum) result.momentum = tidied(*result.momentum);
  return result;
}

}  // namespace ampcheck::reference
