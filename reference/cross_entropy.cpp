#include "reference/cross_entropy.hpp"

#include <algorithm>
#include <optional>

#include "reference/accumulation.hpp"
#include "reference/enclosures.hpp"
#include "reference/error_bounds.hpp"
#include "reference/scaling.hpp"

namespace ampcheck::reference {
namespace {

Rational nearest(const Rational& x, const NumberFormat& f) {
  return value_of(round_to(x, f, Rounding::nearest_even, Overflow::saturate), f);
}

// The floats that a function may give whose error is so many units in the last place.
Interval with_error(const Interval& exact, const Rational& error, const NumberFormat& f) {
  const Rational largest = max(exact.low.abs(), exact.high.abs());
  if (largest.is_zero()) return exact;
  const int unit = std::max(largest.floor_log2() - f.fraction_bits, f.min_quantum());
  const Rational most = error * Rational::power_of_two(unit);
  const auto towards = [&](const Rational& x, Rounding mode) {
    return value_of(round_to(x, f, mode, Overflow::saturate), f);
  };
  return {towards(exact.low - most, Rounding::up), towards(exact.high + most, Rounding::down)};
}

// One row: m, the differences from it, and what their exponentials may be.
class Row {
 public:
  Row(std::span<const Number> logits, std::size_t label, const SoftmaxArithmetic& arithmetic)
      : arithmetic_(arithmetic), f_(*arithmetic.format) {
    if (logits.empty()) throw EmptyRow();
    if (label >= logits.size()) throw LabelOutsideRow(label, logits.size());
    for (const Rational& error : {arithmetic.exp_error, arithmetic.log_error})
      if (error < Rational(1) / 2)
        throw std::invalid_argument("no function is closer than half a unit in the last place");
    std::optional<Rational> largest;
    for (const Number& logit : logits) {
      const std::uint64_t bits = convert(logit, f_);
      const bool minus_infinity = f_.is_infinite(bits) && f_.is_negative(bits);
      if (!f_.is_finite(bits) && !minus_infinity) is_nan_ = true;
      x_.push_back(f_.is_finite(bits) ? std::optional(value_of(bits, f_)) : std::nullopt);
      if (x_.back()) largest = max(*x_.back(), largest.value_or(*x_.back()));
    }
    if (!largest) is_nan_ = true;
    if (is_nan_) return;
    m_ = *largest;
    exponentiate();
  }

  bool is_nan() const { return is_nan_; }
  const NumberFormat& format() const { return f_; }
  std::size_t size() const { return x_.size(); }

  Admissible loss(std::size_t label) const {
    // d is -inf where the logit is, and where it is too far below the maximum.
    if (!d_[label]) return Admissible::of(f_, f_.has_infinity() ? f_.infinity() : f_.nan());
    const Interval l = log_of_sum();
    Admissible result = Admissible::enclosing(f_, l.low - *d_[label], l.high - *d_[label]);
    const Interval lse = log_sum_exp(l);
    result.add(Admissible::enclosing(f_, lse.low - *x_[label], lse.high - *x_[label]));
    const Rational distance = m_ - *x_[label];
    const Interval exact{log_enclosure(exact_sum_.low).low + distance,
                         log_enclosure(exact_sum_.high).high + distance};
    result.add(Admissible::enclosing(f_, exact.low, exact.high));
    return result.hull();
  }

  Admissible gradient(std::size_t i, bool is_label, const Rational& scale) const {
    const Interval p = probability(i);
    Admissible result(f_);
    const auto add = [&](const Rational& x) { result.add(round_to(x, f_)); };
    for (const Rational& end : {p.low, p.high}) {
      add((is_label ? nearest(end - 1, f_) : end) * scale);
      if (!is_label) continue;
      add(nearest(end * scale, f_) - scale);
      add(end * scale - scale);
    }
    const Interval exact = exact_difference(i, is_label);
    add(exact.low * scale);
    add(exact.high * scale);
    result = result.hull();
    if (arithmetic_.may_flush) allow_flushing(result);
    return result;
  }

 private:
  void exponentiate() {
    Sum sum(f_);
    for (const std::optional<Rational>& x : x_) {
      std::optional<Rational> d;
      if (x) {
        const std::uint64_t bits = round_to(*x - m_, f_);
        if (f_.is_finite(bits)) d = value_of(bits, f_);
        const Interval exact = exp_enclosure(*x - m_);
        exact_.push_back(exact);
        exact_sum_ = {exact_sum_.low + exact.low, exact_sum_.high + exact.high};
      } else {
        exact_.push_back({0, 0});
      }
      Interval e{0, 0};
      if (d) e = exponential(*d);
      sum.add(Admissible::enclosing(f_, e.low, e.high));
      e_.push_back(e);
      d_.push_back(std::move(d));
    }
    Policy policy;
    policy.may_flush = arithmetic_.may_flush;
    const Admissible s = sum.result(policy);
    s_ = {value_of(s.lowest(), f_), value_or_largest(s.highest(), f_)};
    // The maximum's own term is 1, and rounding is monotone.
    s_.low = max(s_.low, 1);
  }

  Interval exponential(const Interval& x) const {
    if (x == Interval(0)) return {1, 1};
    Interval e = with_error({exp_enclosure(x.low).low, exp_enclosure(x.high).high},
                            arithmetic_.exp_error, f_);
    e.low = max(e.low, 0);
    if (arithmetic_.may_flush && e.low < smallest_normal(f_)) e.low = 0;
    return e;
  }

  // The error is that of the largest number in the interval: units in the last place jump.
  Interval log_of_sum() const {
    Interval l = with_error({log_enclosure(s_.low).low, log_enclosure(s_.high).high},
                            arithmetic_.log_error, f_);
    // log(1) is exact, and of no greater float the logarithm is below 2^(p-1) of its own units.
    if (arithmetic_.log_error * unit_roundoff(f_) * 2 <= Rational(1)) l.low = max(l.low, 0);
    return l;
  }

  Interval log_sum_exp(const Interval& l) const {
    return {nearest(m_ + l.low, f_), nearest(m_ + l.high, f_)};
  }

  Interval probability(std::size_t i) const {
    if (!d_[i]) return {0, 0};
    const auto rounded = [&](const Rational& low, const Rational& high) {
      return Interval{nearest(low, f_), nearest(high, f_)};
    };
    Interval p = rounded(e_[i].low / s_.high, e_[i].high / s_.low);
    p = hull(p, rounded(e_[i].low * nearest(Rational(1) / s_.high, f_),
                        e_[i].high * nearest(Rational(1) / s_.low, f_)));
    const Interval l = log_of_sum(), lse = log_sum_exp(l);
    for (const Interval& log_p :
         {rounded(*d_[i] - l.high, *d_[i] - l.low), rounded(*x_[i] - lse.high, *x_[i] - lse.low)})
      p = hull(p, exponential(log_p));
    if (arithmetic_.may_flush && p.low < smallest_normal(f_)) p.low = 0;
    return p;
  }

  // Without cancellation: softmax - 1 is minus the share of all others.
  Interval exact_difference(std::size_t i, bool is_label) const {
    if (!is_label) return {exact_[i].low / exact_sum_.high, exact_[i].high / exact_sum_.low};
    Interval others{0, 0};
    for (std::size_t j = 0; j < exact_.size(); ++j)
      if (j != i) others = {others.low + exact_[j].low, others.high + exact_[j].high};
    return {-(others.high / exact_sum_.low), -(others.low / exact_sum_.high)};
  }

  const SoftmaxArithmetic& arithmetic_;
  const NumberFormat& f_;
  bool is_nan_ = false;
  std::vector<std::optional<Rational>> x_, d_;  // without a value for -inf
  Rational m_;
  std::vector<Interval> e_, exact_;  // exp(d) as computed, and exp(x - m)
  Interval s_, exact_sum_;
};

}  // namespace

Admissible cross_entropy_loss(std::span<const Number> logits, std::size_t label,
                              const SoftmaxArithmetic& arithmetic) {
  const Row row(logits, label, arithmetic);
  return row.is_nan() ? Admissible::nan(row.format()) : row.loss(label);
}

std::vector<Admissible> cross_entropy_gradient(std::span<const Number> logits, std::size_t label,
                                               const Number& scale,
                                               const SoftmaxArithmetic& arithmetic) {
  const Row row(logits, label, arithmetic);
  std::vector<Admissible> result;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row.is_nan()) {
      result.push_back(Admissible::nan(row.format()));
    } else if (scale.is_finite()) {
      result.push_back(row.gradient(i, i == label, value_of(scale)));
    } else {
      result.push_back(Admissible(row.format()));
      result.back().add_non_finite();
    }
  }
  return result;
}

}  // namespace ampcheck::reference
