// The steps of optimizers: taken, skipped, or left open.
#include <algorithm>
#include <utility>

#include "reference/training_window.hpp"
#include "reference/weight_copy.hpp"

namespace ampcheck::reference {

void TrainingWindow::take_step(Optimizer& o) {
  if (!o.schedule.empty()) o.hyper["lr"] = o.schedule[std::min(o.scheduled, o.schedule.size() - 1)];
  for (std::size_t index = 0; index < o.parameters.size(); ++index) {
    Parameter& p = at(o.parameters[index]);
    OptimizerState& state = o.states[index];
    if (!p.has_gradient) continue;
    state.seen.clear();
    const std::vector<Admissible>& gradients = p.unscaled ? *p.unscaled : unscale_of(p);
    const bool has_history = o.rule != OptimizerRule::sgd || o.hyper.contains("momentum");
    if ((!state.known && has_history) || (p.master && !p.master->known) || !o.schedule_known) {
      forget_values(p);
      continue;
    }
    std::vector<Admissible>& moved = p.master ? p.master->values : p.values;
    for (std::size_t i = 0; i < moved.size(); ++i) {
      // Only without a scaler: the rules say nothing of what an inf or NaN then does.
      if (gradients[i].may_be_non_finite() && !enabled_) {
        moved[i] = Admissible::anything(moved[i].format());
        state.known = false;
        continue;
      }
      if (o.rule == OptimizerRule::sgd) {
        SgdResult next = sgd_step(moved[i], gradients[i], state.momentum[i], o.hyper, policy_);
        moved[i] = std::move(next.parameter);
        state.momentum[i] = std::move(next.momentum);
        continue;
      }
      const WeightDecay decay =
          o.rule == OptimizerRule::adam ? WeightDecay::coupled : WeightDecay::decoupled;
      std::optional<Admissible> next =
          adam_step(p.values[i], gradients[i], state.moments[i], o.hyper, decay, policy_);
      p.known = p.known && next.has_value();
      if (next) p.values[i] = std::move(*next);
    }
    if (p.master) copy_master(p);
  }
}

void TrainingWindow::copy_master(Parameter& p) const {
  for (std::size_t i = 0; i < p.values.size(); ++i) {
    p.values[i] = weight_copy(p.master->values[i], *p.format, policy_.copy_rounding);
    if (policy_.may_flush) allow_flushing(p.values[i]);
  }
  p.master->is_copied = true;
}

// An update of zero may be added, which flushes a subnormal parameter where flushing is declared.
void TrainingWindow::skip_step(const Optimizer& o) {
  if (!policy_.may_flush) return;
  for (const std::string& name : o.parameters) {
    Parameter& p = at(name);
    for (Admissible& value : p.values) allow_flushing(value);
    if (!p.master) continue;
    for (Admissible& value : p.master->values) allow_flushing(value);
  }
}

void TrainingWindow::forget_values(Parameter& p) {
  p.known = false;
  if (p.master) p.master->known = false;
}

void TrainingWindow::count_step(Optimizer& o) { ++o.scheduled; }

void TrainingWindow::step(const std::string& name, std::optional<bool> stepped) {
  Optimizer& o = optimizer(name);
  for (const std::string& parameter : o.parameters) at(parameter).is_spent = true;
  const Verdict verdict_now = verdict(name);
  if (!o.found) o.found = own_verdict(o);
  if (verdict_now == Verdict::unknown && stepped) {
    *stepped ? take_step(o) : skip_step(o);
    if (*stepped || policy_.schedule_advances_on_skip) count_step(o);
    return;
  }
  switch (verdict_now) {
    case Verdict::clean:
      take_step(o);
      count_step(o);
      return;
    case Verdict::overflow:
      skip_step(o);
      if (policy_.schedule_advances_on_skip) count_step(o);
      return;
    case Verdict::unknown:
      for (const std::string& parameter : o.parameters) forget_values(at(parameter));
      if (!policy_.schedule_advances_on_skip) o.schedule_known = o.schedule.empty();
      count_step(o);
      for (OptimizerState& state : o.states) state.known = false;
      return;
  }
}

}  // namespace ampcheck::reference
