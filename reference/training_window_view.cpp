// What may be seen of a session, and what was seen.
#include <algorithm>
#include <utility>

#include "reference/distinct.hpp"
#include "reference/training_window.hpp"

namespace ampcheck::reference {

bool TrainingWindow::has_gradient(const std::string& parameter) const {
  return at(parameter).has_gradient;
}

bool TrainingWindow::is_spent(const std::string& parameter) const { return at(parameter).is_spent; }

bool TrainingWindow::has_gradients(const std::string& name) const {
  const auto& owned = optimizer(name).parameters;
  return std::any_of(owned.begin(), owned.end(),
                     [&](const std::string& p) { return at(p).has_gradient; });
}

bool TrainingWindow::is_unscaled(const std::string& parameter) const {
  return at(parameter).unscaled.has_value();
}

const std::vector<Admissible>& TrainingWindow::scaled_gradient(const std::string& parameter) const {
  return sums_of(at(parameter));
}

const std::vector<Admissible>& TrainingWindow::unscaled_gradient(
    const std::string& parameter) const {
  const Parameter& p = at(parameter);
  return p.unscaled ? *p.unscaled : unscale_of(p);
}

const std::vector<Admissible>& TrainingWindow::parameter(const std::string& name) const {
  return at(name).values;
}

const std::vector<Admissible>& TrainingWindow::master(const std::string& name) const {
  return at(name).master->values;
}

bool TrainingWindow::parameter_is_known(const std::string& name) const { return at(name).known; }

Verdict TrainingWindow::own_verdict(const Optimizer& o) const {
  if (!enabled_) return Verdict::clean;
  Verdict verdict = Verdict::clean;
  for (const std::string& name : o.parameters) {
    const Parameter& p = at(name);
    if (!p.has_gradient) continue;
    if (p.bad_micro_batch) return Verdict::overflow;
    verdict = worse(verdict, verdict_on(sums_of(p)));
    // Clipping hides nothing here: what counts is the gradient as unscaling left it.
    verdict = worse(verdict, verdict_on(unscale_of(p)));
  }
  if (verdict == Verdict::clean && policy_.finite_test_is_norm) {
    std::vector<GradientSets> sets;
    for (const std::string& name : o.parameters) {
      sets.push_back(sums_of(at(name)));
      sets.push_back(unscale_of(at(name)));
    }
    if (norm_of(sets, policy_).computed.may_be_non_finite()) return Verdict::unknown;
  }
  return verdict;
}

Verdict TrainingWindow::own_verdict(const std::string& name) const {
  const Optimizer& o = optimizer(name);
  return o.found ? *o.found : own_verdict(o);
}

Verdict TrainingWindow::verdict(const std::string& name) const {
  if (!policy_.skips_all) return own_verdict(name);
  Verdict all = Verdict::clean;
  for (const auto& [unused, other] : optimizers_)
    all = worse(all, other.found ? *other.found : own_verdict(other));
  return all;
}

bool TrainingWindow::can_update() const {
  return std::any_of(optimizers_.begin(), optimizers_.end(),
                     [](const auto& entry) { return entry.second.found.has_value(); });
}

OptimizerState& TrainingWindow::state_of(const std::string& parameter) {
  return const_cast<OptimizerState&>(std::as_const(*this).state_of(parameter));
}

const OptimizerState& TrainingWindow::state_of(const std::string& parameter) const {
  const auto owner = owners_.find(parameter);
  if (owner == owners_.end())
    throw BadSession("parameter", "one that an optimizer names", parameter);
  return optimizer(owner->second.first).states[owner->second.second];
}

const std::vector<std::uint64_t>* TrainingWindow::kept_state(const std::string& parameter,
                                                             const std::string& slot) const {
  const OptimizerState& state = state_of(parameter);
  const auto found = state.seen.find(slot);
  return found == state.seen.end() ? nullptr : &found->second;
}

std::vector<Admissible> TrainingWindow::state(const std::string& parameter, const std::string& slot,
                                              const NumberFormat& format) const {
  return state_of(parameter).slot(slot, format);
}

std::vector<Rational> TrainingWindow::scales_in_force() const {
  std::vector<Rational> scales;
  for (const ScaleState& state : scales_) add_missing(scales, state.scale);
  return scales;
}

void TrainingWindow::saw_scale(const Rational& scale) {
  std::vector<ScaleState> matching;
  for (const ScaleState& state : scales_)
    if (state.scale == scale) matching.push_back(state);
  if (matching.empty()) {
    matching.push_back(scales_.front());
    matching.front().scale = scale;
  }
  scales_ = std::move(matching);
}

void TrainingWindow::saw_scaled_gradient(const std::string& parameter,
                                         const std::vector<Admissible>& values) {
  Parameter& p = at(parameter);
  // What lies in the set leaves the terms as they are: the next sum may be taken in another order,
  // or of the exact terms. From anything else the sums go on with what was seen.
  const std::vector<Admissible> expected = sums_of(p);
  for (std::size_t i = 0; i < p.sums.size(); ++i) {
    if (values[i].is_single() && expected[i].contains(values[i].single())) continue;
    p.sums[i] = Sum(p.sums[i].format());
    p.sums[i].add(values[i]);
    p.fused_sums[i] = p.sums[i];
  }
  p.summed = values;
  p.divided.reset();
}

void TrainingWindow::saw_unscaled_gradient(const std::string& parameter,
                                           const std::vector<Admissible>& values) {
  at(parameter).unscaled = values;
}

void TrainingWindow::saw_parameter(const std::string& name, const std::vector<Admissible>& values) {
  Parameter& p = at(name);
  p.values = values;
  p.known = true;
  if (p.master) p.master->is_copied = false;
}

void TrainingWindow::saw_master(const std::string& name, const std::vector<Admissible>& values) {
  Parameter& p = at(name);
  p.master->values = values;
  p.master->known = true;
  // The copy, if it was not seen, is that of this master.
  if (p.master->is_copied) copy_master(p);
}

void TrainingWindow::saw_state(const std::string& parameter, const std::string& slot,
                               const NumberFormat& format, std::vector<std::uint64_t> bits) {
  state_of(parameter).saw(slot, format, std::move(bits));
}

}  // namespace ampcheck::reference
