#include "subject/textbook.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "subject/floating_point.hpp"

namespace ampcheck::subject {
namespace {

using reference::binary32;

double f32(double x) { return static_cast<float>(x); }

}  // namespace

double Textbook::Optimizer::get(const char* key) const {
  const auto found = hyper.find(key);
  return found == hyper.end() ? 0 : found->second;
}

// ---- scaling

double Textbook::seed(const Format& loss_format) { return narrow(scaler_.scale, loss_format); }

double Textbook::scaled(double cotangent, double coefficient, const Format& f) {
  return narrow(cotangent * coefficient, f);
}

void Textbook::backward(const Backward& micro_batch) {
  const Format& loss_format = *micro_batch.loss.format;
  const double start = seed(loss_format);
  cotangent_ = narrow(start / static_cast<double>(micro_batch.divide), loss_format);
  for (const Coefficients& c : micro_batch.coefficients) {
    std::vector<double> terms;
    for (const std::uint64_t bits : c.values.bits)
      terms.push_back(scaled(cotangent_, to_double(bits, *c.values.format), c.delivered_in()));
    accumulate(variable(c.parameter), terms);
  }
  seen_.seed = Scalar{&loss_format, to_bits(start, loss_format)};
  seen_.cotangent = Scalar{&loss_format, to_bits(cotangent_, loss_format)};
}

double Textbook::reported_loss(const Backward& micro_batch) {
  return to_double(micro_batch.loss.bits, *micro_batch.loss.format);
}

double Textbook::unscaled(double x, const Format& format) {
  return narrow(x / scaler_.scale, format);
}

void Textbook::divide_gradients(Optimizer& o) {
  for (Variable* v : with_gradient(o)) {
    if (v->unit == Unit::unscaled) continue;  // another optimizer that shares it was here before
    for (double& x : v->gradient.values) x = unscaled(x, *v->gradient.format);
    v->unit = Unit::unscaled;
  }
}

void Textbook::unscale(Optimizer& o) {
  if (!scaler_.enabled || o.unscaled) return;
  o.found_non_finite = non_finite(with_gradient(o));
  divide_gradients(o);
  o.found_non_finite = o.found_non_finite || non_finite_after_unscale(with_gradient(o));
  o.unscaled = true;
}

// ---- accumulation

void Textbook::accumulate(Variable& v, const std::vector<double>& terms) {
  if (!v.has_gradient) v.gradient.values.assign(terms.size(), 0.0);
  for (std::size_t i = 0; i < terms.size(); ++i)
    v.gradient.values[i] = narrow(v.gradient.values[i] + terms[i], *v.gradient.format);
  v.has_gradient = true;
  v.unit = Unit::scaled;
}

void Textbook::zero_grad(Optimizer& o) {
  for (const std::string& name : o.variables) {
    Variable& v = variable(name);
    v.gradient.values.clear();
    v.has_gradient = false;
    v.unit = Unit::cleared;
  }
}

// ---- clipping

double Textbook::norm(const std::vector<Variable*>& variables) {
  double sum = 0;
  for (const Variable* v : variables)
    for (const double g : v->gradient.values) sum += g * g;
  // Finite gradients may have a norm that binary32 cannot hold; it still has to clip them rightly.
  const double root = std::sqrt(sum);
  return std::isfinite(f32(root)) ? f32(root) : root;
}

double Textbook::p_norm(const std::vector<Variable*>& variables, double p) {
  double sum = 0, most = 0;
  for (const Variable* v : variables)
    for (const double g : v->gradient.values) {
      const double x = std::fabs(g);
      sum += std::pow(x, p);
      most = std::isnan(most) || x <= most ? most : x;  // a NaN stays
    }
  const double root = std::isinf(p) ? most : std::pow(sum, 1 / p);
  return std::isfinite(f32(root)) ? f32(root) : root;
}

double Textbook::clip_factor(double norm, double limit) {
  return std::min(std::isfinite(f32(norm)) ? f32(limit / norm) : limit / norm, 1.0);
}

double Textbook::shown_norm(const std::vector<Variable*>& variables) {
  const double n = p_ == 2 ? norm(variables) : p_norm(variables, p_);
  seen_.norm = Scalar{&binary32, to_bits(n, binary32)};
  return n;
}

void Textbook::clip_norm(const std::vector<Variable*>& variables, double limit) {
  const double n = shown_norm(variables);
  if (n <= limit) return;
  const double factor = clip_factor(n, limit);
  for (Variable* v : variables)
    for (double& g : v->gradient.values) g = narrow(g * factor, *v->gradient.format);
}

void Textbook::clip_value(const std::vector<Variable*>& variables, double limit) {
  for (Variable* v : variables)
    for (double& g : v->gradient.values) {
      const double most = narrow(limit, *v->gradient.format);
      g = std::isnan(g) ? g : std::clamp(g, -most, most);
    }
}

// ---- skipping

bool Textbook::is_bad(double x) { return !std::isfinite(x); }

bool Textbook::non_finite(const std::vector<Variable*>& variables) {
  for (const Variable* v : variables)
    for (const double g : v->gradient.values)
      if (is_bad(g)) return true;
  return false;
}

bool Textbook::non_finite_after_unscale(const std::vector<Variable*>& variables) {
  return non_finite(variables);
}

bool Textbook::step(Optimizer& o) {
  unscale(o);
  overflow_ = overflow_ || o.found_non_finite;
  if (o.found_non_finite) {
    skip_step(o);
    return false;
  }
  if (!o.schedule.empty()) follow_schedule(o);
  take_step(o);
  return true;
}

void Textbook::follow_schedule(Optimizer& o) {
  o.hyper["lr"] = o.schedule[std::min(o.scheduled, o.schedule.size() - 1)];
  ++o.scheduled;
}

void Textbook::take_step(Optimizer& o) {
  for (Variable* v : with_gradient(o)) o.kind == OptimizerKind::sgd ? sgd(o, *v) : adam(o, *v);
}

void Textbook::skip_step(Optimizer&) {}

std::optional<bool> Textbook::shown_stepped(bool stepped) { return stepped; }

std::optional<bool> Textbook::shown_found_non_finite(const Optimizer& o) {
  return o.found_non_finite;
}

void Textbook::update() {
  if (scaler_.enabled) {
    if (overflow_) {
      back_off();
      scaler_.clean_steps = 0;
    } else if (++scaler_.clean_steps == scaler_.growth_interval) {
      grow();
      scaler_.clean_steps = 0;
    }
  }
  overflow_ = false;
  for (auto& [name, o] : optimizers_) o.unscaled = o.found_non_finite = false;
}

void Textbook::back_off() {
  // Not below the smallest normal number: a scale whose seed is zero could never recover. A scale
  // that starts below stays where it is.
  const double floor = std::min(std::ldexp(1.0, -126), scaler_.scale);
  scaler_.scale = std::max(f32(scaler_.scale * scaler_.backoff_factor), floor);
}

void Textbook::grow() {
  const double grown = f32(scaler_.scale * scaler_.growth_factor);
  if (std::isfinite(grown)) scaler_.scale = grown;
}

Textbook::Saved Textbook::save() { return {scaler_, variables_, optimizers_}; }

void Textbook::load(const Saved& saved) {
  scaler_ = saved.scaler;
  variables_ = saved.variables;
  optimizers_ = saved.optimizers;
}

// ---- misuse

void Textbook::refuse_settings(const MakeScaler& a) {
  const double scale = to_double(a.init_scale.bits, *a.init_scale.format);
  const double growth = to_double(a.growth_factor.bits, *a.growth_factor.format);
  const double backoff = to_double(a.backoff_factor.bits, *a.backoff_factor.format);
  if (!(scale > 0 && std::isfinite(scale))) throw Raised("init_scale must be finite and above 0");
  if (!(growth > 1 && std::isfinite(growth)))
    throw Raised("growth_factor must be finite and above 1");
  if (!(backoff > 0 && backoff < 1)) throw Raised("backoff_factor must be between 0 and 1");
  if (a.growth_interval < 1) throw Raised("growth_interval must be at least 1");
}

void Textbook::refuse_mixed_sum(const Backward& a) {
  for (const Coefficients& c : a.coefficients)
    for (const auto& [name, o] : optimizers_)
      if (o.unscaled && std::ranges::count(o.variables, variable(c.parameter).name) > 0)
        throw Raised("optimizer " + name + " was unscaled");
}

void Textbook::refuse_second_unscale(const Optimizer& o) {
  if (o.unscaled) throw Raised("optimizer " + o.name + " was unscaled");
  if (o.stepped) throw Raised("optimizer " + o.name + " was stepped");
}

void Textbook::refuse_limit(double limit) {
  if (!(limit >= 0)) throw Raised("the limit must be at least 0");
}

void Textbook::refuse_second_step(const Optimizer& o) {
  if (o.stepped) throw Raised("optimizer " + o.name + " was stepped");
}

void Textbook::refuse_idle_update() {
  if (!checked_) throw Raised("no gradient was unscaled or stepped on");
}

// ---- tokens

bool Textbook::is_counted(std::int64_t label, std::int64_t ignore_index) {
  return label != ignore_index;
}

std::vector<std::int64_t> Textbook::targets(const TokenWindow& window,
                                            const TokenMicroBatch& micro_batch) {
  std::vector<std::int64_t> targets = micro_batch.labels;
  if (window.shift == 0) return targets;
  const std::size_t length = targets.size() / static_cast<std::size_t>(micro_batch.rows);
  for (std::size_t t = 0; t < targets.size(); ++t)
    targets[t] = (t + 1) % length == 0 ? window.ignore_index : micro_batch.labels[t + 1];
  return targets;
}

double Textbook::class_weight(const TokenWindow& window, std::int64_t label) {
  const Tensor& weights = window.class_weights;
  return weights.format == nullptr
             ? 1
             : to_double(weights.bits.at(static_cast<std::size_t>(label)), *weights.format);
}

double Textbook::window_count(const TokenWindow& window) {
  std::int64_t count = 0;
  double weights = 0;
  for (const auto& rank : window.ranks)
    for (const TokenMicroBatch& micro_batch : rank) {
      const std::vector<std::int64_t> labels = targets(window, micro_batch);
      for (std::size_t t = 0; t < labels.size(); ++t) {
        if (!is_counted(labels[t], window.ignore_index)) continue;
        const std::int64_t times = micro_batch.times[t];
        count += times;
        weights += static_cast<double>(times) * class_weight(window, labels[t]);
      }
    }
  return window.class_weights.format == nullptr ? static_cast<double>(count) : weights;
}

double Textbook::micro_batch_weight(const TokenWindow& window, const TokenMicroBatch&) {
  const double count = window_count(window);
  return count == 0 ? 0 : f32(1 / count);
}

void Textbook::token_window(const TokenWindow& window) {
  Variable& v = variable(window.parameter);
  const std::size_t n = v.value.values.size();
  const double world = static_cast<double>(window.ranks.size());
  // Averaging over the ranks divides by their number, which no rule asks for.
  const double undo = window.reducer == Reducer::mean ? world : 1;
  std::vector<double> reduced(n, 0.0);
  for (const auto& rank : window.ranks)
    for (const TokenMicroBatch& micro_batch : rank) {
      const Format& format = *micro_batch.coefficients.format;
      const double weight = micro_batch_weight(window, micro_batch);
      const std::vector<std::int64_t> labels = targets(window, micro_batch);
      for (std::size_t t = 0; t < labels.size(); ++t)
        for (std::size_t j = 0; j < n; ++j) {
          if (!is_counted(labels[t], window.ignore_index)) continue;
          const double c = to_double(micro_batch.coefficients.bits[t * n + j], format);
          const double factor = f32(scaler_.scale * weight * undo);
          const double term = f32(f32(factor * class_weight(window, labels[t])) * c);
          reduced[j] = f32(reduced[j] + f32(term * static_cast<double>(micro_batch.times[t])));
        }
    }
  if (window.reducer == Reducer::mean)
    for (double& x : reduced) x = f32(x / world);
  accumulate(v, reduced);
}

double Textbook::token_loss(const TokenWindow& window, std::size_t) {
  double sum = 0;
  for (const auto& rank : window.ranks)
    for (const TokenMicroBatch& micro_batch : rank) {
      const std::vector<std::int64_t> labels = targets(window, micro_batch);
      for (std::size_t t = 0; t < labels.size(); ++t) {
        if (!is_counted(labels[t], window.ignore_index)) continue;
        const double loss = to_double(micro_batch.losses.bits[t], *micro_batch.losses.format);
        const double term = f32(class_weight(window, labels[t]) * loss);
        sum = f32(sum + f32(term * static_cast<double>(micro_batch.times[t])));
      }
    }
  const double count = window_count(window);
  return count == 0 ? 0 : sum / count;
}

void Textbook::turn_to(std::size_t) {}

}  // namespace ampcheck::subject
