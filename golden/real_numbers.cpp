#include "golden/real_numbers.hpp"

#include <algorithm>

#include "reference/exact.hpp"
#include "reference/rounding.hpp"

namespace ampcheck::golden {
namespace {

using namespace subject;
using reference::Rational;
using reference::TrainingWindow;
using Value = std::optional<Rational>;

// f of two values, where both are there.
template <typename Function>
Value both(const Value& a, const Value& b, Function f) {
  return a && b ? Value(f(*a, *b)) : std::nullopt;
}

Value plus(const Value& a, const Value& b) {
  return both(a, b, [](const Rational& x, const Rational& y) { return x + y; });
}

Value times(const Rational& factor, const Value& x) {
  return x ? Value(factor * *x) : std::nullopt;
}

}  // namespace

Rational RealNumbers::Optimizer::get(const char* key) const {
  const auto found = hyper.find(key);
  return found == hyper.end() ? Rational(0) : found->second;
}

Value RealNumbers::number(const Scalar& scalar) const {
  for (const Real& real : reals_)
    if (real.scalar() == scalar) return real.value;
  if (!scalar.format->is_finite(scalar.bits)) return {};
  return reference::value_of(scalar.bits, *scalar.format);
}

ExactValues RealNumbers::numbers(const Tensor& tensor) const {
  ExactValues values;
  for (const std::uint64_t bits : tensor.bits) values.push_back(number({tensor.format, bits}));
  return values;
}

RealNumbers::Parameter& RealNumbers::parameter(const std::string& name) {
  return parameters_.at(names_.at(name));
}

std::vector<RealNumbers::Parameter*> RealNumbers::with_gradient(
    const std::vector<std::string>& optimizers) {
  std::vector<Parameter*> found;
  for (const std::string& name : optimizers)
    for (const std::string& owned : optimizers_.at(name).parameters)
      if (Parameter& p = parameter(owned);
          p.has_gradient && std::find(found.begin(), found.end(), &p) == found.end())
        found.push_back(&p);
  return found;
}

void RealNumbers::make(const MakeOptimizer& made) {
  Optimizer& o = optimizers_[made.name];
  o.kind = made.kind;
  for (const auto& [name, value] : made.hyper) o.hyper[name] = number(value).value();
  for (const subject::Parameter& p : made.parameters) {
    o.parameters.push_back(p.name);
    names_[p.name] = p.same_as.empty() ? p.name : names_.at(p.same_as);
    if (p.same_as.empty()) parameters_[p.name].value = numbers(p.initial);
  }
}

void RealNumbers::add(const std::string& name, const ExactValues& terms) {
  Parameter& p = parameter(name);
  if (!p.has_gradient) p.gradient.assign(terms.size(), Rational(0));
  p.has_gradient = true;
  for (std::size_t i = 0; i < terms.size(); ++i) p.gradient[i] = plus(p.gradient[i], terms[i]);
}

void RealNumbers::token_window(const TokenWindow& window) {
  const std::size_t elements = parameter(window.parameter).value.size();
  ExactValues sums(elements, Rational(0));
  Rational count;
  for (const auto& rank : window.ranks)
    for (const TokenMicroBatch& micro_batch : rank) {
      const ExactValues c = numbers(micro_batch.coefficients);
      for (std::size_t t = 0; t < micro_batch.labels.size(); ++t) {
        if (micro_batch.labels[t] == window.ignore_index) continue;
        const Rational there(micro_batch.times[t]);
        count += there;
        for (std::size_t j = 0; j < elements; ++j)
          sums[j] = plus(sums[j], times(there, c[t * elements + j]));
      }
    }
  for (Value& sum : sums) sum = count.is_zero() ? Value(0) : times(Rational(1) / count, sum);
  add(window.parameter, sums);
}

void RealNumbers::clip_norm(const ClipNorm& clip) {
  const std::vector<Parameter*> clipped = with_gradient(clip.optimizers);
  const Value limit = number(clip.limit);
  Rational squares;
  bool known = limit.has_value();
  for (const Parameter* p : clipped)
    for (const Value& g : p->gradient)
      if (g)
        squares += *g * *g;
      else
        known = false;
  Value factor;
  Rational norm;
  norm_ = known && squares.is_square(&norm) ? Value(norm) : std::nullopt;
  if (known && squares <= *limit * *limit)
    factor = Rational(1);
  else if (norm_)
    factor = *limit / *norm_;
  for (Parameter* p : clipped)
    for (Value& g : p->gradient) g = factor ? times(*factor, g) : std::nullopt;
}

void RealNumbers::clip_value(const ClipValue& clip) {
  const Rational limit = number(clip.limit).value();
  for (Parameter* p : with_gradient(clip.optimizers))
    for (Value& g : p->gradient)
      if (g) g = reference::max(-limit, reference::min(limit, *g));
}

void RealNumbers::sgd(const Optimizer& o, Parameter& p) {
  const Rational momentum = o.get("momentum");
  const bool first = p.buffer.empty();
  if (first) p.buffer.assign(p.value.size(), Rational(0));
  for (std::size_t i = 0; i < p.value.size(); ++i) {
    Value d = plus(p.gradient[i], times(o.get("weight_decay"), p.value[i]));
    if (!momentum.is_zero()) {
      if (!first)
        d = plus(times(momentum, p.buffer[i]), times(Rational(1) - o.get("dampening"), d));
      p.buffer[i] = d;
    }
    p.value[i] = plus(p.value[i], times(-o.get("lr"), d));
  }
}

void RealNumbers::adam(const Optimizer& o, Parameter& p) {
  const Rational beta1 = o.get("beta1"), beta2 = o.get("beta2");
  if (p.first.empty()) {
    p.first.assign(p.value.size(), Rational(0));
    p.second = p.first;
  }
  ++p.steps;
  Rational power1(1), power2(1);
  for (std::int64_t t = 0; t < p.steps; ++t) power1 *= beta1, power2 *= beta2;
  for (std::size_t i = 0; i < p.value.size(); ++i) {
    const Value& g = p.gradient[i];
    const Value square = both(g, g, [](const Rational& x, const Rational& y) { return x * y; });
    p.first[i] = plus(times(beta1, p.first[i]), times(Rational(1) - beta1, g));
    p.second[i] = plus(times(beta2, p.second[i]), times(Rational(1) - beta2, square));
    Rational root;
    if (!p.first[i] || !p.second[i] || !o.get("weight_decay").is_zero() ||
        !(*p.second[i] / (Rational(1) - power2)).is_square(&root) ||
        (root + o.get("eps")).is_zero())
      p.value[i].reset();
    else
      p.value[i] = plus(
          p.value[i], -o.get("lr") * *p.first[i] / (Rational(1) - power1) / (root + o.get("eps")));
  }
}

void RealNumbers::step(const Optimizer& o) {
  for (const std::string& name : o.parameters) {
    Parameter& p = parameter(name);
    if (!p.has_gradient) continue;
    if (o.kind == OptimizerKind::sgd)
      sgd(o, p);
    else
      adam(o, p);
  }
}

void RealNumbers::apply(const Step& played, const TrainingWindow& model) {
  if (const auto* a = std::get_if<MakeOptimizer>(&played.action)) return make(*a);
  if (const auto* a = std::get_if<TokenWindow>(&played.action)) return token_window(*a);
  if (const auto* a = std::get_if<ClipNorm>(&played.action)) return clip_norm(*a);
  if (const auto* a = std::get_if<ClipValue>(&played.action)) return clip_value(*a);
  if (const auto* a = std::get_if<Backward>(&played.action)) {
    for (const Coefficients& c : a->coefficients) {
      ExactValues terms = numbers(c.values);
      for (Value& x : terms) x = times(Rational(1) / Rational(a->divide), x);
      add(c.parameter, terms);
    }
  } else if (const auto* taken = std::get_if<TakeStep>(&played.action)) {
    const Optimizer& o = optimizers_.at(taken->optimizer);
    switch (model.verdict(taken->optimizer)) {
      case reference::Verdict::clean:
        return step(o);
      case reference::Verdict::overflow:
        return;
      case reference::Verdict::unknown:
        for (const std::string& name : o.parameters)
          parameter(name).value.assign(parameter(name).value.size(), std::nullopt);
    }
  } else if (const auto* zeroed = std::get_if<ZeroGrad>(&played.action)) {
    for (const std::string& name : optimizers_.at(zeroed->optimizer).parameters)
      parameter(name).has_gradient = false;
  }
}

Value RealNumbers::scale(const TrainingWindow& model) const {
  if (!model.enabled()) return Rational(1);
  if (model.scales().size() != 1) return {};
  return model.scales().front().scale;
}

std::optional<ExactValues> RealNumbers::look(const std::string& observation,
                                             const TrainingWindow& model) const {
  const std::size_t slash = observation.find('/');
  const std::string kind = observation.substr(0, slash);
  if (kind == "seed") return ExactValues{scale(model)};
  if (kind == "norm") return ExactValues{norm_};
  if (kind != "gradient" && kind != "parameter") return {};
  const std::string owner = names_.at(observation.substr(slash + 1));
  const Parameter& p = parameters_.at(owner);
  if (kind == "parameter") return p.value;
  if (!p.has_gradient) return {};
  ExactValues values = p.gradient;
  if (!model.is_unscaled(owner)) {
    const Value s = scale(model);
    for (Value& x : values) x = s ? times(*s, x) : std::nullopt;
  }
  return values;
}

}  // namespace ampcheck::golden
