#include "properties/coverage/rounded_operations.hpp"

#include "reference/rounding.hpp"

namespace ampcheck::properties {

using reference::Admissible;
using reference::Exact;
using reference::NumberFormat;
using reference::Rational;
using reference::TrainingWindow;

namespace {

// The optimizer of a step that begins where gradients may still be scaled.
const std::string* stepping_optimizer(const subject::Step& step) {
  if (const auto* a = std::get_if<subject::Unscale>(&step.action)) return &a->optimizer;
  if (const auto* a = std::get_if<subject::TakeStep>(&step.action)) return &a->optimizer;
  return nullptr;
}

Rational hyper(const subject::MakeOptimizer& optimizer, const char* name) {
  const auto found = optimizer.hyper.find(name);
  if (found == optimizer.hyper.end()) return 0;
  return reference::value_of(found->second.bits, *found->second.format);
}

// Of one learning rate, and of the parameters themselves.
bool is_plain_sgd(const subject::MakeOptimizer& optimizer) {
  return optimizer.kind == subject::OptimizerKind::sgd && hyper(optimizer, "momentum").is_zero() &&
         hyper(optimizer, "weight_decay").is_zero() && optimizer.schedule.empty() &&
         !optimizer.master_weights;
}

}  // namespace

RoundedOperations::Tensor RoundedOperations::known(const std::vector<Admissible>& sets) {
  Tensor result;
  for (const Admissible& set : sets) {
    result.format = &set.format();
    const bool is_nan = !set.has_ends() && set.contains(set.format().nan());
    result.values.push_back(is_nan            ? std::optional(set.format().nan())
                            : set.is_single() ? std::optional(set.single())
                                              : std::nullopt);
  }
  return result;
}

void RoundedOperations::count(RoundedOperation operation, const NumberFormat& result,
                              std::uint64_t operand, const NumberFormat& of, const Exact& exact) {
  coverage_.count(
      {operation, &result, operand_class(operand, of), rounding_situation(exact, result)});
}

void RoundedOperations::count_not_finite(RoundedOperation operation, const NumberFormat& result,
                                         std::uint64_t operand, const NumberFormat& of) {
  coverage_.count({operation, &result, operand_class(operand, of), std::nullopt});
}

void RoundedOperations::note_gradients(const std::vector<std::string>& optimizers,
                                       const TrainingWindow& model) {
  for (const std::string& parameter : model.with_gradient(optimizers)) {
    if (model.unscaled_gradient(parameter).empty()) continue;  // no element, and no format
    if (!model.is_unscaled(parameter)) scaled_[parameter] = known(model.scaled_gradient(parameter));
    unscaled_[parameter] = known(model.unscaled_gradient(parameter));
  }
}

void RoundedOperations::before(const subject::Step& step, const TrainingWindow& model) {
  scaled_.clear();
  unscaled_.clear();
  parameters_.clear();
  if (const auto* a = std::get_if<subject::Backward>(&step.action)) {
    for (const subject::Coefficients& c : a->coefficients)
      if (model.has_gradient(c.parameter))
        scaled_[c.parameter] = known(model.scaled_gradient(c.parameter));
  } else if (const auto* clip = std::get_if<subject::ClipNorm>(&step.action)) {
    note_gradients(clip->optimizers, model);
  } else if (const std::string* optimizer = stepping_optimizer(step)) {
    note_gradients({*optimizer}, model);
    for (const auto& [parameter, gradient] : unscaled_)
      parameters_[parameter] = known(model.parameter(parameter));
    steps_ = model.verdict(*optimizer) == reference::Verdict::clean;
  }
}

void RoundedOperations::after(const subject::Step& step, const TrainingWindow& model) {
  if (const auto* made = std::get_if<subject::MakeOptimizer>(&step.action)) {
    optimizers_.emplace(made->name, *made);
  } else if (const auto* a = std::get_if<subject::Backward>(&step.action)) {
    delivered(*a, model);
  } else if (const auto* clip = std::get_if<subject::ClipNorm>(&step.action)) {
    clipped(*clip, model);
  } else if (stepping_optimizer(step) != nullptr) {
    unscaled(model);
    if (const auto* take = std::get_if<subject::TakeStep>(&step.action)) stepped(take->optimizer);
  }
}

void RoundedOperations::delivered(const subject::Backward& a, const TrainingWindow& model) {
  if (!model.cotangent().is_single()) return;
  const NumberFormat& loss = model.cotangent().format();
  if (!loss.is_finite(model.cotangent().single())) return;
  const Rational s = value_of(model.cotangent().single(), loss);
  for (const subject::Coefficients& c : a.coefficients) {
    const NumberFormat &given = *c.values.format, &f = c.delivered_in();
    const auto sum = scaled_.find(c.parameter);
    for (std::size_t i = 0; i < c.values.bits.size(); ++i) {
      const std::uint64_t bits = c.values.bits[i];
      std::uint64_t term = bits;
      if (given.is_finite(bits)) {
        const Rational product = s * value_of(bits, given);
        count(RoundedOperation::scale, f, bits, given, product);
        term = round_to(product, f);
      } else {
        count_not_finite(RoundedOperation::scale, f, bits, given);
        term = convert({&given, bits}, f);
      }
      if (sum == scaled_.end() || policy_.accumulates_unscaled || model.has_dropped()) continue;
      const NumberFormat& accumulator = *sum->second.format;
      const std::optional<std::uint64_t>& before = sum->second.values[i];
      if (!f.is_finite(term))
        count_not_finite(RoundedOperation::accumulate, accumulator, term, f);
      else if (before && accumulator.is_finite(*before))
        count(RoundedOperation::accumulate, accumulator, term, f,
              value_of(*before, accumulator) + value_of(term, f));
    }
  }
}

void RoundedOperations::unscaled(const TrainingWindow& model) {
  const std::vector<Rational> scales = model.scales_in_force();
  if (policy_.accumulates_unscaled || !model.enabled() || scales.size() != 1) return;
  for (const auto& [parameter, gradient] : scaled_) {
    const NumberFormat &f = *gradient.format, &result = *unscaled_.at(parameter).format;
    for (const std::optional<std::uint64_t>& x : gradient.values) {
      if (!x) continue;
      if (!f.is_finite(*x))
        count_not_finite(RoundedOperation::unscale, result, *x, f);
      else
        count(RoundedOperation::unscale, result, *x, f, value_of(*x, f) / scales.front());
    }
  }
}

void RoundedOperations::clipped(const subject::ClipNorm& a, const TrainingWindow& model) {
  if (!model.norm() || !model.norm()->exact) return;
  const Exact& norm = *model.norm()->exact;
  const Rational limit = reference::value_of(a.limit.bits, *a.limit.format);
  if (norm <= Exact(limit)) return;
  for (const auto& [parameter, gradient] : unscaled_) {
    const NumberFormat& f = *gradient.format;
    for (const std::optional<std::uint64_t>& g : gradient.values)
      if (g && f.is_finite(*g))
        count(RoundedOperation::clip, f, *g, f, Exact(value_of(*g, f) * limit) / norm);
  }
}

void RoundedOperations::stepped(const std::string& optimizer) {
  const subject::MakeOptimizer& made = optimizers_.at(optimizer);
  if (!steps_ || !is_plain_sgd(made)) return;
  const Rational rate = hyper(made, "lr");
  for (const auto& [parameter, gradient] : unscaled_) {
    const Tensor& moved = parameters_.at(parameter);
    for (std::size_t i = 0; i < gradient.values.size(); ++i) {
      const std::optional<std::uint64_t>&g = gradient.values[i], &p = moved.values[i];
      if (!g || !p || !gradient.format->is_finite(*g) || !moved.format->is_finite(*p)) continue;
      count(RoundedOperation::step, *moved.format, *g, *gradient.format,
            value_of(*p, *moved.format) - rate * value_of(*g, *gradient.format));
    }
  }
}

}  // namespace ampcheck::properties
