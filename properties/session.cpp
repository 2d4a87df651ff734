#include "properties/session.hpp"

#include <map>
#include <optional>

#include "properties/counted_tokens.hpp"

namespace ampcheck::properties {
namespace {

using namespace subject;
using reference::Number;
using reference::TrainingWindow;

Number number(const Scalar& x) { return {x.format, x.bits}; }

template <typename T>
std::optional<T> seen(const Answer* answer, const char* name) {
  if (answer == nullptr) return {};
  const auto found = answer->observed.find(name);
  if (found == answer->observed.end() || found->second.empty()) return {};
  const T* value = std::get_if<T>(&found->second.front());
  return value == nullptr ? std::nullopt : std::optional<T>(*value);
}

std::optional<Number> seen_number(const Answer* answer, const char* name) {
  const std::optional<Scalar> scalar = seen<Scalar>(answer, name);
  return scalar ? std::optional<Number>(number(*scalar)) : std::nullopt;
}

reference::OptimizerRule rule_of(OptimizerKind kind) {
  switch (kind) {
    case OptimizerKind::sgd:
      return reference::OptimizerRule::sgd;
    case OptimizerKind::adam:
      return reference::OptimizerRule::adam;
    case OptimizerKind::adamw:
      return reference::OptimizerRule::adamw;
  }
  return reference::OptimizerRule::sgd;
}

struct Player {
  const Answer* answer;
  TrainingWindow& model;

  void operator()(const MakeScaler& a) {
    model.make_scaler(number(a.init_scale),
                      {number(a.growth_factor), number(a.backoff_factor), a.growth_interval},
                      a.enabled);
  }
  void operator()(const MakeOptimizer& a) {
    std::vector<std::string> owned;
    for (const Parameter& p : a.parameters) {
      if (p.same_as.empty())
        model.make_parameter(p.name, *p.initial.format, p.initial.bits);
      else
        model.make_alias(p.name, p.same_as);
      owned.push_back(p.name);
    }
    reference::Hyper hyper;
    for (const auto& [name, value] : a.hyper) hyper[name] = number(value);
    model.make_optimizer(a.name, rule_of(a.kind), std::move(hyper), std::move(owned),
                         a.master_weights);
    std::vector<Number> rates;
    for (const Scalar& rate : a.schedule) rates.push_back(number(rate));
    model.set_schedule(a.name, std::move(rates));
  }
  void operator()(const Backward& a) {
    std::vector<reference::Delivery> deliveries;
    for (const Coefficients& c : a.coefficients)
      deliveries.push_back({c.parameter, c.values.format, &c.delivered_in(), c.values.bits});
    model.backward(*a.loss.format, a.divide, deliveries, seen_number(answer, "seed"),
                   seen_number(answer, "cotangent"));
  }
  void operator()(const TokenWindow& a) {
    const std::size_t elements = model.parameter(a.parameter).size();
    std::vector<std::vector<reference::TokenTerm>> terms(elements);
    for (const CountedToken& token : counted_tokens(a)) {
      const Tensor& c = token.micro_batch->coefficients;
      for (std::size_t j = 0; j < elements; ++j)
        terms[j].push_back(
            {{c.format, c.bits[token.position * elements + j]}, token.times(), token.weight});
    }
    model.token_window(a.parameter, terms, divisor_of(a), static_cast<std::int64_t>(a.ranks.size()),
                       reference::binary32);
  }
  void operator()(const Unscale& a) { model.unscale(a.optimizer); }
  void operator()(const ClipNorm& a) {
    model.clip_norm(a.optimizers, number(a.limit), reference::norm_order(number(a.p)));
  }
  void operator()(const ClipValue& a) { model.clip_value(a.optimizers, number(a.limit)); }
  void operator()(const TakeStep& a) { model.step(a.optimizer, seen<bool>(answer, "stepped")); }
  void operator()(const Update&) {
    if (model.can_update()) model.update();
  }
  void operator()(const ZeroGrad& a) { model.zero_grad(a.optimizer); }
  void operator()(const SaveLoad&) { model.save_load(); }
  void operator()(const Recipe&) {}
  void operator()(const Observe&) {}
};

}  // namespace

void apply(const Step& step, const Answer* answer, TrainingWindow& model) {
  std::visit(Player{answer, model}, step.action);
}

}  // namespace ampcheck::properties
