// What a session is made of.
#include <algorithm>
#include <utility>

#include "reference/training_window.hpp"

namespace ampcheck::reference {
namespace {

void require_positive(const Number& x, const char* field) {
  if (!x.is_finite() || value_of(x).sign() <= 0)
    throw BadSession(field, "a finite number above 0", to_string(x));
}

void require_hyper(OptimizerRule rule, const Hyper& hyper) {
  for (const auto& [name, value] : hyper) {
    const auto require = [&](bool holds, const char* expected) {
      if (!holds) throw BadSession("hyper." + name, expected, to_string(value));
    };
    require(value.is_finite(), "a finite number");
    const Rational x = value_of(value);
    if (name == "eps") require(x.sign() >= 0, "a number of at least 0");
    if (rule != OptimizerRule::sgd && (name == "beta1" || name == "beta2"))
      require(x.sign() >= 0 && x < Rational(1), "a number from 0 to below 1");
  }
}

}  // namespace

void TrainingWindow::make_scaler(const Number& init_scale, const ScaleRule& rule, bool enabled) {
  if (!scales_.empty()) throw BadSession("op", "one scaler in a session", "a second");
  require_positive(init_scale, "init_scale");
  require_positive(rule.growth_factor, "growth_factor");
  require_positive(rule.backoff_factor, "backoff_factor");
  if (rule.growth_interval < 1)
    throw BadSession("growth_interval", "an integer of at least 1",
                     std::to_string(rule.growth_interval));
  enabled_ = enabled;
  rule_ = rule;
  const NumberFormat& kept_in = *policy_.scale_format;
  const std::uint64_t kept = convert(init_scale, kept_in);
  if (!kept_in.is_finite(kept) || kept_in.is_zero(kept))
    throw BadSession("init_scale",
                     "a number that is finite and above 0 in " + std::string(kept_in.name) +
                         ", in which scales are kept",
                     to_string(init_scale));
  scales_ = {ScaleState{enabled ? value_of(kept, kept_in) : Rational(1)}};
}

void TrainingWindow::make_parameter(const std::string& name, const NumberFormat& format,
                                    const std::vector<std::uint64_t>& initial) {
  Parameter made;
  made.format = &format;
  for (const std::uint64_t bits : initial) made.values.push_back(Admissible::of(format, bits));
  if (!parameters_.emplace(name, std::move(made)).second)
    throw BadSession("parameters", "names that are new", name);
}

void TrainingWindow::make_alias(const std::string& name, const std::string& parameter) {
  const std::string& first = first_name(parameter);
  at(first);
  if (at(first).master)
    throw BadSession("parameters", "one optimizer for what has master weights", "two for " + first);
  if (parameters_.contains(name) || !first_names_.emplace(name, first).second)
    throw BadSession("parameters", "names that are new", name);
}

void TrainingWindow::make_optimizer(const std::string& name, OptimizerRule rule, Hyper hyper,
                                    std::vector<std::string> parameters, bool has_masters) {
  require_hyper(rule, hyper);
  if (has_masters && rule != OptimizerRule::sgd)
    throw BadSession("master_weights", "false of an optimizer other than sgd", "true");
  std::vector<OptimizerState> states;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    states.emplace_back(at(parameters[i]).values.size());
    owners_.insert_or_assign(parameters[i], std::pair{name, i});
    if (has_masters) make_master(parameters[i]);
    parameters[i] = first_name(parameters[i]);
  }
  std::vector<std::string> sorted = parameters;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    throw BadSession("parameters", "one name for a tensor", "two for " + *twice);
  if (!optimizers_
           .emplace(
               name,
               Optimizer{rule, std::move(hyper), std::move(parameters), std::move(states), {}, {}})
           .second)
    throw BadSession("name", "the name of no other optimizer", name);
}

void TrainingWindow::set_schedule(const std::string& name, std::vector<Number> rates) {
  for (const Number& rate : rates)
    if (!rate.is_finite() || value_of(rate).sign() < 0)
      throw BadSession("schedule", "finite numbers of at least 0", to_string(rate));
  Optimizer& o = optimizer(name);
  const auto lr = o.hyper.find("lr");
  if (!rates.empty() && lr != o.hyper.end() && value_of(lr->second) != value_of(rates.front()))
    throw BadSession("hyper.lr", "none, or the first of the schedule", to_string(lr->second));
  o.schedule = std::move(rates);
}

void TrainingWindow::make_master(const std::string& parameter) {
  Parameter& p = at(parameter);
  if (first_names_.contains(parameter))
    throw BadSession("parameters", "one optimizer for what has master weights",
                     "two for " + first_name(parameter));
  if (!(*p.format == binary16) && !(*p.format == bfloat16))
    throw BadSession("parameters", "binary16 or bfloat16 where there are master weights",
                     parameter + " of " + std::string(p.format->name));
  p.master.emplace();
  for (const Admissible& value : p.values) p.master->values.push_back(value.converted(binary32));
}

const std::string& TrainingWindow::first_name(const std::string& parameter) const {
  const auto found = first_names_.find(parameter);
  return found == first_names_.end() ? parameter : found->second;
}

void TrainingWindow::require_scaler() const {
  if (scales_.empty()) throw BadSession("op", "a scaler before any micro-batch", "none");
}

TrainingWindow::Parameter& TrainingWindow::at(const std::string& parameter) {
  return const_cast<Parameter&>(std::as_const(*this).at(parameter));
}

const TrainingWindow::Parameter& TrainingWindow::at(const std::string& parameter) const {
  const auto found = parameters_.find(first_name(parameter));
  if (found == parameters_.end()) throw BadSession("parameter", "that of an optimizer", parameter);
  return found->second;
}

TrainingWindow::Optimizer& TrainingWindow::optimizer(const std::string& name) {
  return const_cast<Optimizer&>(std::as_const(*this).optimizer(name));
}

const TrainingWindow::Optimizer& TrainingWindow::optimizer(const std::string& name) const {
  const auto found = optimizers_.find(name);
  if (found == optimizers_.end()) throw BadSession("optimizer", "one that was made before", name);
  return found->second;
}

}  // namespace ampcheck::reference
