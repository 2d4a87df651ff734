#include "properties/generators/case_builder.hpp"

#include <algorithm>
#include <utility>

namespace ampcheck::properties {

using namespace subject;  // the steps
using reference::binary32;
using reference::binary64;

CaseBuilder& CaseBuilder::add(Action action) {
  case_.steps.push_back({std::move(action), {}});
  return *this;
}

CaseBuilder& CaseBuilder::scaler(const ScalerPlan& plan) {
  return add(MakeScaler{plan.init_scale, plan.growth_factor, plan.backoff_factor,
                        plan.growth_interval, plan.enabled});
}

OptimizerForm draw_form(Draw& draw) {
  return draw.pick(
      {OptimizerForm::loop, OptimizerForm::loop, OptimizerForm::foreach, OptimizerForm::fused});
}

CaseBuilder& CaseBuilder::sgd(const std::string& name, std::vector<Parameter> parameters,
                              int lr_exponent, OptimizerForm form) {
  MakeOptimizer made;
  made.name = name;
  made.form = form;
  made.hyper = {{"lr", scalar_power_of_two(lr_exponent, binary64)}};
  made.parameters = std::move(parameters);
  return optimizer(std::move(made));
}

CaseBuilder& CaseBuilder::optimizer(MakeOptimizer made) { return add(std::move(made)); }

CaseBuilder& CaseBuilder::backward(std::vector<Coefficients> coefficients, bool last) {
  Backward micro_batch;
  micro_batch.loss = scalar_power_of_two(0, binary32);
  micro_batch.coefficients = std::move(coefficients);
  micro_batch.last = last;
  return add(std::move(micro_batch));
}

CaseBuilder& CaseBuilder::divide(std::int64_t by) {
  std::get<Backward>(case_.steps.back().action).divide = by;
  return *this;
}

CaseBuilder& CaseBuilder::unscale(const std::string& optimizer) { return add(Unscale{optimizer}); }

CaseBuilder& CaseBuilder::clip_norm(std::vector<std::string> optimizers, const Scalar& limit,
                                    const Scalar& p) {
  return add(ClipNorm{std::move(optimizers), limit, p});
}

CaseBuilder& CaseBuilder::clip_value(std::vector<std::string> optimizers, const Scalar& limit) {
  return add(ClipValue{std::move(optimizers), limit});
}

CaseBuilder& CaseBuilder::step(const std::string& optimizer) {
  return add(TakeStep{optimizer}).observe({"stepped"});
}

CaseBuilder& CaseBuilder::update() { return add(Update{}); }

CaseBuilder& CaseBuilder::zero_grad(const std::string& optimizer, bool to_none) {
  return add(ZeroGrad{optimizer, to_none});
}

CaseBuilder& CaseBuilder::save_load() { return add(SaveLoad{}); }

CaseBuilder& CaseBuilder::ranks(std::int64_t count) {
  case_.ranks = count;
  return *this;
}

CaseBuilder& CaseBuilder::observe(std::vector<std::string> names) {
  auto& observed = case_.steps.back().observe;
  for (std::string& name : names)
    if (std::find(observed.begin(), observed.end(), name) == observed.end())
      observed.push_back(std::move(name));
  return *this;
}

CaseBuilder& CaseBuilder::finish_window(const std::string& optimizer) {
  return step(optimizer).update().zero_grad(optimizer);
}

Parameter zeros(const std::string& name, std::size_t size, const NumberFormat& f) {
  return {name, vector(std::vector<std::uint64_t>(size, 0), f), ""};
}

}  // namespace ampcheck::properties
