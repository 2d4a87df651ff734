#include "reference/training_window.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "reference/clip_beyond_range.hpp"
#include "reference/distinct.hpp"

namespace ampcheck::reference {
namespace {

// A set over every scale that the subject may have.
template <typename Function>
Admissible over(const std::vector<Rational>& scales, const NumberFormat& format, Function f) {
  Admissible result(format);
  for (const Rational& scale : scales) result.add(f(scale));
  return result;
}

// A clip to 0 takes everything away.
void require_limit(const Number& limit) {
  if (!limit.is_finite() || value_of(limit).sign() < 0)
    throw BadSession("limit", "a finite number of at least 0", to_string(limit));
}

}  // namespace

void TrainingWindow::add_to(Parameter& p, const std::vector<Admissible>& scaled) {
  if (scaled.size() != p.values.size())
    throw BadSession("coefficients", std::to_string(p.values.size()) + " numbers, as the parameter",
                     std::to_string(scaled.size()));
  const NumberFormat& accumulator = accumulator_format(*p.format, policy_);
  p.has_gradient = true;
  p.summed.reset();
  p.divided.reset();
  if (p.sums.empty()) p.sums = p.fused_sums = std::vector(p.values.size(), Sum(accumulator));
  if (verdict_on(scaled) == Verdict::overflow) p.bad_micro_batch = true;
  for (std::size_t i = 0; i < scaled.size(); ++i) {
    if (!policy_.accumulates_unscaled || !enabled_) {
      p.sums[i].add(scaled[i]);
      continue;
    }
    const Admissible term = over(scaled_with_, accumulator, [&](const Rational& scale) {
      return scaled[i].map(accumulator, [&](std::uint64_t bits) {
        // As it is delivered, or as a gradient of its parameter, whose format may be wider.
        const Number x{&scaled[i].format(), bits};
        Admissible result = unscaled(x, scale, accumulator, policy_);
        if (wider(*x.format, *p.format) == *p.format)
          result.add(unscaled({p.format, convert(x, *p.format)}, scale, accumulator, policy_));
        return result;
      });
    });
    p.sums[i].add(term);
    add_fused(p.fused_sums[i], scaled[i], term);
  }
}

// A term that is unscaled as it is added: anything from the exact quotient to its rounding.
void TrainingWindow::add_fused(Sum& sum, const Admissible& scaled, const Admissible& term) const {
  if (scaled.may_be_non_finite() || term.may_be_non_finite()) return sum.add(term);
  Interval exact(value_of(term.lowest(), term.format()), value_of(term.highest(), term.format()));
  for (const Rational& scale : scaled_with_)
    for (const std::uint64_t end : {scaled.lowest(), scaled.highest()}) {
      const std::optional<Interval> one = unscaled_exactly({&scaled.format(), end}, scale, policy_);
      if (!one) return sum.add(term);
      exact = hull(exact, *one);
    }
  if (exact.low.sign() * exact.high.sign() < 0) return sum.add(term);
  sum.add_product(exact.low, exact.high, Products::any);
}

void TrainingWindow::backward(const NumberFormat& loss_format, std::int64_t divide,
                              const std::vector<Delivery>& deliveries, std::optional<Number> seed,
                              std::optional<Number> cotangent) {
  if (divide < 1) throw BadSession("divide", "an integer of at least 1", std::to_string(divide));
  require_scaler();
  may_raise_ = must_raise_ = false;
  if (policy_.accumulates_unscaled) scaled_with_.clear();
  Admissible seeds(loss_format);
  for (const ScaleState& state : scales_) {
    add_missing(scaled_with_, state.scale);
    seeds.add(seed_of(state.scale, loss_format));
  }
  if (policy_.may_flush) allow_flushing(seeds);
  seed_ = seeds;
  const Admissible from = seed && *seed->format == loss_format ? Admissible::of(*seed) : seeds;
  cotangent_ = from.map(loss_format, [&](std::uint64_t bits) {
    Admissible divided = divided_seed({&loss_format, bits}, divide);
    if (policy_.may_flush) allow_flushing(divided);
    return divided;
  });
  const Admissible used =
      cotangent && *cotangent->format == loss_format ? Admissible::of(*cotangent) : *cotangent_;

  std::vector<std::vector<Admissible>> all;
  Verdict found = Verdict::clean;
  for (const Delivery& delivery : deliveries) {
    std::vector<Admissible> values;
    for (const std::uint64_t bits : delivery.bits) {
      values.push_back(used.map(*delivery.delivered_in, [&](std::uint64_t s) {
        return delivered({&loss_format, s}, {delivery.format, bits}, *delivery.delivered_in,
                         policy_.may_flush);
      }));
    }
    // A set that holds only NaN has no pattern to map.
    if (!used.has_ends())
      for (Admissible& value : values) value = Admissible::nan(*delivery.delivered_in);
    found = worse(found, verdict_on(values));
    all.push_back(std::move(values));
  }
  // Only gradients that are unscaled one by one may see the scale move inside their window.
  if (policy_.accumulates_unscaled && policy_.update_at_micro_batch && enabled_) {
    move_scales(found);
    moved_inside_ = true;
  }
  if (found == Verdict::overflow && policy_.drops_bad_micro_batches) {
    has_dropped_ = true;
    return;
  }
  for (std::size_t d = 0; d < deliveries.size(); ++d) add_to(at(deliveries[d].parameter), all[d]);
}

void TrainingWindow::token_window(const std::string& parameter,
                                  const std::vector<std::vector<TokenTerm>>& terms,
                                  const TokenDivisor& divisor, std::int64_t ranks,
                                  const NumberFormat& loss_format) {
  Parameter& p = at(parameter);
  require_scaler();
  if (policy_.accumulates_unscaled) scaled_with_.clear();
  for (const ScaleState& state : scales_) add_missing(scaled_with_, state.scale);
  const NumberFormat& accumulator = accumulator_format(*p.format, policy_);
  std::vector<Admissible> scaled;
  for (const std::vector<TokenTerm>& element : terms)
    scaled.push_back(over(scaled_with_, accumulator, [&](const Rational& scale) {
      return token_mean(element, divisor, ranks, {&loss_format, seed_of(scale, loss_format)},
                        accumulator, policy_);
    }));
  add_to(p, scaled);
}

const std::vector<Admissible>& TrainingWindow::sums_of(const Parameter& p) const {
  if (!p.summed) {
    p.summed.emplace();
    for (std::size_t i = 0; i < p.sums.size(); ++i) {
      p.summed->push_back(p.sums[i].result(policy_));
      // The first term is added to nothing.
      if (policy_.accumulates_unscaled && enabled_ && p.sums[i].terms() > 1)
        p.summed->back().add(p.fused_sums[i].result(policy_));
    }
  }
  return *p.summed;
}

const std::vector<Admissible>& TrainingWindow::unscale_of(const Parameter& p) const {
  if (policy_.accumulates_unscaled || !enabled_) return sums_of(p);
  if (!p.divided) {
    p.divided.emplace();
    for (const Admissible& sum : sums_of(p)) {
      const NumberFormat& output =
          policy_.output_is_gradient_format ? sum.format() : wider(sum.format(), binary32);
      p.divided->push_back(over(scaled_with_, output, [&](const Rational& scale) {
        return sum.map(output, [&](std::uint64_t bits) {
          return unscaled({&sum.format(), bits}, scale, output, policy_);
        });
      }));
    }
  }
  return *p.divided;
}

void TrainingWindow::unscale(const std::string& name) {
  Optimizer& o = optimizer(name);
  o.found = own_verdict(o);
  for (const std::string& parameter : o.parameters) {
    Parameter& p = at(parameter);
    if (p.has_gradient && !p.unscaled) p.unscaled = unscale_of(p);
  }
}

void TrainingWindow::take_unscale_back() {
  for (auto& [name, o] : optimizers_) o.found.reset();
  for (auto& [name, p] : parameters_) {
    p.unscaled.reset();
    p.clipped.reset();
  }
}

std::vector<std::string> TrainingWindow::with_gradient(
    const std::vector<std::string>& optimizers) const {
  std::vector<std::string> names;
  for (const std::string& name : optimizers)
    for (const std::string& parameter : optimizer(name).parameters)
      if (at(parameter).has_gradient) add_missing(names, parameter);
  return names;
}

void TrainingWindow::take_norm(const std::vector<std::string>& clipped, NormOrder order) {
  std::vector<GradientSets> sets, scaled;
  bool may_be_finite = true, may_be_non_finite = false;
  for (const std::string& parameter : clipped) {
    sets.push_back(unscaled_gradient(parameter));
    for (const Admissible& element : sets.back()) {
      may_be_finite = may_be_finite && element.may_be_finite();
      may_be_non_finite = may_be_non_finite || element.may_be_non_finite();
    }
    const Parameter& p = at(parameter);
    if (norms_are_of_scaled()) scaled.push_back(p.clipped ? *p.clipped : sums_of(p));
  }
  norm_.reset();
  clip_may_refuse_ = may_be_non_finite;
  if (!may_be_finite) norm_ = Norm::non_finite();
  if (may_be_non_finite) return;
  const auto norm = [&](const Policy& policy, Exponents exponents) {
    Norm result = norm_of(sets, policy, order, exponents);
    if (!norms_are_of_scaled()) return result;
    const Norm whole = norm_of(scaled, policy, order, exponents);
    result.computed.add(unscaled_norm(whole.computed, result.computed.format()));
    if (result.wide) result.wide->add(unscaled_norm(*whole.wide, result.wide->format()));
    return result;
  };
  norm_ = norm(policy_, Exponents::of_the_format);
  clip_may_refuse_ = norm_->computed.may_be_non_finite();
  if (exponents_ == Exponents::of_the_format) return;
  norm_ = norm(policy_, exponents_);
  if (!norm_->computed.may_be_non_finite()) return;
  // None of the format's numbers: only a wider one clips by it.
  Policy wide = policy_;
  wide.narrow_norm = false;
  norm_->wide = norm(wide, exponents_).wide;
}

void TrainingWindow::clip_norm(const std::vector<std::string>& optimizers, const Number& limit,
                               NormOrder order) {
  require_limit(limit);
  for (const std::string& name : optimizers)
    if (!optimizer(name).found) unscale(name);
  const std::vector<std::string> clipped = with_gradient(optimizers);
  take_norm(clipped, order);
  std::optional<ClipBeyondRange> beyond;
  if (norm_ && norm_->wide && exponents_ == Exponents::unbounded &&
      norm_->computed.may_be_non_finite()) {
    std::vector<GradientSets> sets;
    for (const std::string& parameter : clipped) sets.push_back(unscaled_gradient(parameter));
    beyond.emplace(*norm_, std::move(sets), limit, policy_, order);
  }
  const auto clipped_element = [&](const Admissible& element) {
    if (beyond) return (*beyond)(element);
    return norm_ ? clipped_by_norm(element, *norm_, limit, policy_)
                 : Admissible::anything(element.format());
  };
  for (const std::string& parameter : clipped) {
    Parameter& p = at(parameter);
    if (!p.unscaled) continue;
    if (norms_are_of_scaled() && !p.clipped) p.clipped = sums_of(p);
    const auto clip = [&](std::vector<Admissible>& gradient) {
      for (Admissible& element : gradient) element = clipped_element(element);
    };
    clip(*p.unscaled);
    // The factor is the same where the gradient is still scaled.
    if (p.clipped) clip(*p.clipped);
  }
}

Admissible TrainingWindow::unscaled_norm(const Admissible& norm, const NumberFormat& to) const {
  return over(scaled_with_, to, [&](const Rational& scale) {
    return norm.map(to, [&](std::uint64_t bits) {
      return unscaled({&norm.format(), bits}, scale, to, policy_);
    });
  });
}

void TrainingWindow::clip_value(const std::vector<std::string>& optimizers, const Number& limit) {
  require_limit(limit);
  for (const std::string& name : optimizers)
    if (!optimizer(name).found) unscale(name);
  const std::vector<Rational> scales =
      policy_.accumulates_unscaled ? std::vector<Rational>() : scaled_with_;
  for (const std::string& parameter : with_gradient(optimizers)) {
    Parameter& p = at(parameter);
    if (!p.unscaled) continue;
    for (Admissible& element : *p.unscaled)
      element = clipped_by_value(element, limit, scales, policy_);
    if (!norms_are_of_scaled() || scales.empty()) continue;
    if (!p.clipped) p.clipped = sums_of(p);
    for (Admissible& element : *p.clipped)
      element = clipped_scaled_by_value(element, limit, scales);
  }
}

void TrainingWindow::update() {
  Verdict found = Verdict::clean;
  for (auto& [name, o] : optimizers_) {
    if (o.found) found = worse(found, *o.found);
    o.found.reset();
  }
  // The window was clean without what it dropped; whether the scale backs off is left open.
  if (std::exchange(has_dropped_, false) && found == Verdict::clean) found = Verdict::unknown;
  scaled_with_.clear();
  may_raise_ = must_raise_ = false;
  if (enabled_ && !moved_inside_) move_scales(found);
  moved_inside_ = false;
}

void TrainingWindow::move_scales(Verdict found) {
  std::vector<ScaleState> next;
  for (const ScaleState& state : scales_)
    for (const Verdict verdict : {Verdict::clean, Verdict::overflow})
      if (found == Verdict::unknown || found == verdict)
        for (ScaleState& moved : updated(state, verdict, rule_, policy_))
          add_missing(next, std::move(moved));
  const auto went_on = std::stable_partition(next.begin(), next.end(),
                                             [](const ScaleState& s) { return !s.raised; });
  may_raise_ = went_on != next.end();
  must_raise_ = went_on == next.begin();
  // A session that goes on did not raise.
  if (!must_raise_) next.erase(went_on, next.end());
  scales_ = std::move(next);
}

void TrainingWindow::clear(Parameter& p) {
  p.has_gradient = p.is_spent = p.bad_micro_batch = false;
  p.sums.clear();
  p.fused_sums.clear();
  p.summed.reset();
  p.divided.reset();
  p.unscaled.reset();
  p.clipped.reset();
}

void TrainingWindow::zero_grad(const std::string& name) {
  for (const std::string& parameter : optimizer(name).parameters) clear(at(parameter));
}

void TrainingWindow::save_load() {
  for (auto& [name, parameter] : parameters_) clear(parameter);
}

}  // namespace ampcheck::reference
