#include "reference/adam_step.hpp"

#include <algorithm>
#include <initializer_list>

#include "reference/error_bounds.hpp"
#include "reference/scaling.hpp"

namespace ampcheck::reference {
namespace {

// The roundings that the header counts in an update.
constexpr int kUpdateRoundings = 10;
// What a pow may be off, in units in the last place.
constexpr int kPowerUnits = 4;

// x^n for x >= 0.
Interval power_between(const Rational& x, std::int64_t n) {
  Interval result(1), square(x);
  for (; n > 0; n /= 2, square = shortened(square * square))
    if (n % 2 == 1) result = shortened(result * square);
  return result;
}

// By how much so many roundings, each within (1±u), may enlarge a number.
Rational growth(const Rational& u, std::int64_t roundings) {
  return power_between(Rational(1) + u, roundings).high - 1;
}

Interval ends_of(const Admissible& set) {
  const NumberFormat& f = set.format();
  return {value_of(set.lowest(), f), value_of(set.highest(), f)};
}

Interval square(const Interval& x) {
  const Rational a = x.low * x.low, b = x.high * x.high;
  const bool holds_zero = x.low.sign() * x.high.sign() <= 0;
  return {holds_zero ? Rational(0) : min(a, b), max(a, b)};
}

Interval hull(const Interval& a, const Interval& b, const Interval& c) {
  return reference::hull(a, reference::hull(b, c));
}

Interval with_zero(const Interval& x) { return reference::hull(x, Interval(0)); }

Interval hull_of(const std::vector<Rational>& list) {
  return {*std::min_element(list.begin(), list.end()), *std::max_element(list.begin(), list.end())};
}

// What a monotone function makes of x that is off by so much from the identity.
Interval beside(const Interval& x, const Rational& relative, const Rational& absolute) {
  return {x.low - x.low.abs() * relative - absolute, x.high + x.high.abs() * relative + absolute};
}

// Rounded to the parameter's format, at once or by way of the wide one.
Admissible stored(const Interval& x, const NumberFormat& f) {
  const NumberFormat& wide = wider(f, binary32);
  Admissible result(f);
  for (const Rational& end : {x.low, x.high}) result.add_rounded(end, wide);
  return x.is_point() ? result : result.hull();
}

// U: what it may be, and what every usual form makes of it where none of them rounds.
struct Update {
  Interval range;
  std::optional<Rational> exact;
};

class AdamStep {
 public:
  AdamStep(const NumberFormat& parameter, const Hyper& hyper, const Policy& policy)
      : narrow_(parameter),
        wide_(wider(parameter, binary32)),
        policy_(policy),
        u_(unit_roundoff(parameter)),
        eta_(Rational::power_of_two(policy.may_flush ? parameter.min_exponent()
                                                     : parameter.min_quantum())),
        larger_(Rational(1) + growth(u_, kUpdateRoundings)),
        beta1_(hyper_value(hyper, "beta1")),
        beta2_(hyper_value(hyper, "beta2")),
        rate_(setting(hyper_value(hyper, "lr"))),
        epsilon_(setting(hyper_value(hyper, "eps"))),
        decay_(setting(hyper_value(hyper, "weight_decay"))) {}

  bool has_decay() const { return !(decay_ == Interval()); }

  // lambda·p may be inf.
  bool decay_may_overflow(const Interval& p) const { return overflows(decay_ * p); }
  // Or what decoupled decay forms of it, alone and together with U.
  bool decoupled_may_overflow(const Interval& p, const Update& update) const {
    const Interval share = share_of_decay();
    // Nor is p·(1 - lr·lambda) larger than p and (lr·lambda)·p both are.
    const auto ways = {share, share * p, update.range + share * p};
    return std::any_of(ways.begin(), ways.end(), [&](const Interval& x) { return overflows(x); }) ||
           (rate_.low.sign() > 0 && overflows(update.range / rate_ + decay_ * p));
  }

  // g + lambda·p.
  Interval decayed_gradient(const Interval& g, const Interval& p) const {
    return rounded(g + rounded(decay_ * p));
  }

  void move_on(Moments& moments, const Interval& given) const {
    const Interval g = operand(given), m = operand(moments.first), v = operand(moments.second);
    const Interval keep1 = setting(beta1_), share1 = share(beta1_);
    const Interval keep2 = setting(beta2_), share2 = share(beta2_);
    const Interval squared = rounded(square(g));
    moments.first = hull(rounded(rounded(keep1 * m) + rounded(share1 * g)),
                         interpolated(m, g, share1), interpolated(g, m, keep1));
    const Interval kept = rounded(keep2 * v);
    const Interval second = hull(rounded(kept + rounded(share2 * squared)),
                                 rounded(kept + rounded(square_of_two(rounded(share2 * g), g))),
                                 interpolated(v, squared, share2));
    moments.second_may_be_infinite =
        moments.second_may_be_infinite || overflows(max(squared.high, second.high));
    moments.known = moments.known && !overflows(g - m) && !overflows(g);
    moments.first = shortened(moments.first);
    moments.second = shortened(Interval(max(second.low, 0), max(second.high, 0)));
    ++moments.step;
  }

  // p·(1 - lr·lambda) - U, or p·(1 - lambda) - U, but for the rounding of that difference.
  Interval decayed(const Interval& p, const Update& update) const {
    const bool alone = policy_.adamw_decay == AdamWDecay::alone;
    const Interval share = share_of_decay();
    // (lr·lambda)·p, or lr·(lambda·p).
    Interval taken = rounded(share * p);
    if (!alone) taken = reference::hull(taken, rounded(rate_ * rounded(decay_ * p)));
    const Interval first =
        reference::hull(rounded(p * rounded(Interval(1) - share)), rounded(p - taken));
    // p - lr·(u + lambda·p), and p - (U + lr·lambda·p): roundings of the sum, and of the product of
    // that.
    const Interval sum = (update.exact ? Interval(*update.exact) : update.range) + taken;
    const bool exact = update.exact && are_exact({decay_ * p, taken, sum, sum / rate_});
    const Interval folded =
        exact ? update.range + taken
              : beside(update.range + taken, growth(u_, 2), eta_ * 2 * max(rate_.magnitude(), 1));
    return reference::hull(first - update.range, p - folded);
  }

  // Nothing where the denominator may be 0, or what is formed on the way may be inf.
  std::optional<Update> update(const Moments& moments) const {
    const Interval bias1 = correction(beta1_, moments.step);
    const Interval bias2 = correction(beta2_, moments.step);
    if (bias1.low.sign() <= 0 || bias2.low.sign() <= 0) return {};
    const bool hat = policy_.adam_epsilon == AdamEpsilon::hat;
    const Interval& m = moments.first;
    const Interval root_bias2 = square_root(bias2);
    const Interval mean = hat ? moments.second : moments.second / bias2;
    const Interval root = square_root(mean);
    const Interval step_size = hat ? rate_ * root_bias2 / bias1 : rate_ / bias1;
    // √bc2 with what it is multiplied by: lr, or the step size in torch's capturable form.
    const Interval scaled_root = root_bias2 * (hat ? rate_ : step_size);
    const Interval moved = step_size * m;
    const std::optional<Interval> denominator = denominator_of(mean, step_size);
    if (!denominator) return {};
    // √inf is inf, too.
    const bool may_vanish = moments.second_may_be_infinite || overflows(mean);
    const Interval sum = is_absorbed(root) ? root : root + epsilon_;
    // A correction whose reciprocal is exact is a power of two: 1 or, of a first step, 1 - beta, so
    // that m/bc1 is g, v/bc2 is g², and both are exact where m and v are.
    if (step_size.low.sign() > 0 &&
        are_exact({bias1, bias2, root_bias2, rate_, step_size, moved, sum, m, moments.second,
                   square_root(moments.second), root, Interval(1) / bias1, Interval(1) / bias2,
                   scaled_root, root / step_size, sum / step_size, rate_ * m})) {
      const Interval computed = moved / sum;
      if (are_exact({Interval(1) / sum, m / sum, computed})) {
        const Interval range = reference::hull(moved / (root + epsilon_), computed);
        return Update{may_vanish ? with_zero(range) : range, computed.low};
      }
    }
    const Interval exact = moved / *denominator;
    // bc1·RN(1/lr), of which torch's foreach form takes the reciprocal, may be tiny where lr is
    // bc1·2^-emin: 41·RN(1/41) is less than 1. A smaller lr is smaller by a unit, 2u/s of it with
    // s < 2 the significand of bc1, and 1/lr is rounded by u·s/2 at most, which is less.
    if (step_size.magnitude() * smallest_normal(narrow_) >= Rational(1)) return {};
    const auto ways = {m / bias1,        rate_ * m, moved,
                       m / *denominator, exact,     Interval(1) / *denominator,
                       scaled_root};
    for (const Interval& x : ways)
      if (overflows(x * larger_)) return {};
    const Rational least = hat ? bias1.low : min(bias1.low, root_bias2.low);
    const Rational lost = Rational::power_of_two(narrow_.min_quantum() + 1) * larger_ *
                          max(rate_.magnitude(), 1) * max(m.magnitude(), 1) / least *
                          max(Rational(1) / denominator->low, 1);
    const Interval range = beside(exact, larger_ - 1, lost);
    return Update{may_vanish || may_flush(ways) ? with_zero(range) : range, {}};
  }

 private:
  // The result of an operation in the parameter's format or a wider one.
  Interval rounded(const Interval& x) const {
    if (x.is_point() && is_representable(x.low, narrow_)) return operand(x);
    return beside(x, u_, eta_);
  }

  // What is taken of p: lr·lambda or lambda.
  Interval share_of_decay() const {
    return policy_.adamw_decay == AdamWDecay::alone ? decay_ : rounded(rate_ * decay_);
  }

  // √mean + eps, with what underflows in it. Nothing where it may be 0, or may overflow over the
  // step size, such as √v divided by that in binary16: inf, and no set for what follows.
  std::optional<Interval> denominator_of(const Interval& mean, const Interval& step_size) const {
    Interval squares = mean;
    // v/bc2 is rounded before its root is taken.
    if (!mean.high.is_zero() && mean.low < smallest_normal(narrow_))
      squares = {max(mean.low - eta_, 0), mean.high + eta_};
    // The quotients of both by the step size, and their sum.
    const Rational lost = eta_ * 3 * step_size.magnitude();
    const Interval result = beside(square_root(squares) + epsilon_, 0, lost);
    if (result.low.sign() <= 0) return {};
    if (step_size.low.sign() > 0 && overflows(result / step_size * larger_)) return {};
    return result;
  }

  // a + share·(b - a). Between (1 - share)·a + share·b and what three roundings make of it where a
  // is an interval: a stands in it twice, and must not be carried through the operations one by
  // one.
  Interval interpolated(const Interval& a, const Interval& b, const Interval& share) const {
    const Interval distance = b - a;
    if (a.is_point()) return rounded(a + rounded(share * rounded(distance)));
    const Interval exact = (Interval(1) - share) * a + share * b;
    const Rational error = share.magnitude() * distance.magnitude() * (u_ * 2 + u_ * u_) + eta_ * 2;
    return beside(beside(exact, 0, error), u_, eta_);
  }

  // One of these, rounded once, may be inf.
  bool overflows(const Interval& x) const { return stored(x, narrow_).may_be_non_finite(); }

  // An operand, which may be flushed.
  Interval operand(const Interval& x) const { return may_flush({x}) ? with_zero(x) : x; }

  // One of these may be too small to be kept. What holds numbers of both signs holds 0 in any case.
  bool may_flush(std::initializer_list<Interval> list) const {
    return policy_.may_flush && std::any_of(list.begin(), list.end(), [&](const Interval& x) {
             return min(x.low.abs(), x.high.abs()) < eta_;
           });
  }

  // a·b where both have the sign of b.
  static Interval square_of_two(const Interval& a, const Interval& b) {
    const Interval product = a * b;
    return {max(product.low, 0), product.high};
  }

  Interval setting(const Rational& x) const {
    std::vector<Rational> list;
    for (const Rational& wide : as_given_or_rounded(x, wide_))
      for (const Rational& one : as_given_or_rounded(wide, narrow_)) list.push_back(one);
    return operand(hull_of(list));
  }

  Interval share(const Rational& beta) const {
    std::vector<Rational> list;
    for (const Rational& rest : complements(beta, wide_))
      for (const Rational& one : as_given_or_rounded(rest, narrow_)) list.push_back(one);
    return hull_of(list);
  }

  // beta^t, of beta as given or rounded.
  Interval power(const Rational& beta, std::int64_t t) const {
    std::vector<Rational> ends;
    for (const Rational& b : as_given_or_rounded(beta, wide_)) {
      const Interval exact = power_between(b, t);
      Rational off;
      if (t > 1 && !b.is_zero()) {
        const int exponent = std::max(exact.high.floor_log2(), wide_.min_exponent());
        off = max(exact.high * growth(unit_roundoff(wide_), t - 1),
                  Rational::power_of_two(exponent - wide_.fraction_bits) * kPowerUnits);
      }
      ends.push_back(exact.low - off);
      ends.push_back(exact.high + off);
    }
    return hull_of(ends);
  }

  // 1 - beta^t, as it is, and stored in the parameter's format.
  Interval correction(const Rational& beta, std::int64_t t) const {
    if (!policy_.adam_corrects_bias) return Interval(1);
    Interval result = Interval(1) - power(beta, t);
    if (!result.is_point() || !is_representable(result.low, wide_))
      result = beside(result, unit_roundoff(wide_), 0);
    if (narrow_ == wide_) return result;
    const auto stored_end = [&](const Rational& x) {
      return value_of(round_to(x, narrow_), narrow_);
    };
    return operand(
        reference::hull(result, Interval(stored_end(result.low), stored_end(result.high))));
  }

  // Epsilon vanishes beside the root in binary64, of which every format is a part, and so in each.
  bool is_absorbed(const Interval& root) const {
    return round_to(root.low + epsilon_.high, binary64) == round_to(root.low, binary64);
  }

  bool are_exact(std::initializer_list<Interval> steps) const {
    return std::all_of(steps.begin(), steps.end(), [&](const Interval& x) {
      return x.is_point() && is_representable(x.low, narrow_) && operand(x) == x;
    });
  }

  const NumberFormat &narrow_, &wide_;
  const Policy& policy_;
  const Rational u_, eta_, larger_, beta1_, beta2_;
  const Interval rate_, epsilon_, decay_;
};

}  // namespace

Admissible Moments::first_in(const NumberFormat& f) const {
  if (!known) return Admissible::anything(f);
  return stored(first, f);
}

Admissible Moments::second_in(const NumberFormat& f) const {
  if (!known) return Admissible::anything(f);
  Admissible result = stored(second, f);
  if (second_may_be_infinite) result.add_non_finite();
  return result;
}

std::optional<Admissible> adam_step(const Admissible& parameter, const Admissible& gradient,
                                    Moments& moments, const Hyper& hyper, WeightDecay decay,
                                    const Policy& policy) {
  const NumberFormat& f = parameter.format();
  if (gradient.may_be_non_finite() || parameter.may_be_non_finite()) moments.known = false;
  if (!moments.known) return {};
  const AdamStep step(f, hyper, policy);
  Interval p = ends_of(parameter), g = ends_of(gradient);
  const bool decay_overflows = step.has_decay() && step.decay_may_overflow(p);
  const bool was_infinite = moments.second_may_be_infinite;
  if (step.has_decay() && decay == WeightDecay::coupled) {
    moments.known = !decay_overflows;
    g = step.decayed_gradient(g, p);
  }
  step.move_on(moments, g);
  if (!moments.known || decay_overflows) return {};
  const std::optional<Update> update = step.update(moments);
  if (!update) return {};
  const bool decays = step.has_decay() && decay == WeightDecay::decoupled;
  if (decays && step.decoupled_may_overflow(p, *update)) return {};
  Admissible result = stored(decays ? step.decayed(p, *update) : p - update->range, f);
  // v + (1 - beta2)·(g² - v) of inf is NaN.
  if (was_infinite) result.add_non_finite();
  if (policy.may_flush) {
    allow_flushing(result);
    // A subnormal parameter may enter as 0.
    if (f.is_subnormal(parameter.lowest()) || f.is_subnormal(parameter.highest()))
      result.add(stored(Interval(0) - update->range, f));
  }
  return result;
}

}  // namespace ampcheck::reference
