#include "properties/session_order.hpp"

#include <algorithm>

#include "reference/bad_session.hpp"

namespace ampcheck::properties {

using namespace subject;
using reference::BadSession;

void SessionOrder::check(const Step& step) {
  std::visit([this](const auto& action) { (*this)(action); }, step.action);
}

void SessionOrder::operator()(const MakeScaler&) {
  BadSession::unless(optimizers_.empty(), "op", "the scaler before all else",
                     "one after an optimizer");
  has_scaler_ = true;
}

void SessionOrder::operator()(const MakeOptimizer& a) {
  BadSession::unless(has_scaler_, "op", "the scaler before all else", std::string(a.kName));
  Optimizer& made = optimizers_[a.name];
  for (const Parameter& p : a.parameters) {
    const auto first = first_names_.find(p.same_as);
    const std::string& name = first == first_names_.end() ? p.name : first->second;
    first_names_.emplace(p.name, name);
    made.parameters.push_back(name);
  }
}

void SessionOrder::add_to(const std::string& parameter, const std::string& field) {
  const auto first = first_names_.find(parameter);
  if (first == first_names_.end()) return;  // the model will say so
  Gradient& gradient = gradients_[first->second];
  BadSession::unless(!gradient.is_stale, field,
                     "a gradient that was cleared since its window ended", "that of " + parameter);
  gradient = {true, false, false, false};
}

void SessionOrder::operator()(const Backward& a) {
  BadSession::unless(!is_whole_, "op", "the end of the window, which had its last micro-batch",
                     std::string(a.kName));
  for (const Coefficients& c : a.coefficients) add_to(c.parameter, "coefficients." + c.parameter);
  has_begun_ = true;
  is_whole_ = a.last;
}

void SessionOrder::operator()(const TokenWindow& a) {
  BadSession::unless(!has_begun_, "op", "a window without other micro-batches",
                     std::string(a.kName));
  add_to(a.parameter, "parameter");
  has_begun_ = is_whole_ = true;
}

void SessionOrder::require_all_micro_batches() const {
  BadSession::unless(is_whole_, "op", "the micro-batches of the window, up to the last one",
                     "its end");
}

void SessionOrder::require_fresh(const std::string& optimizer) const {
  const auto found = optimizers_.find(optimizer);
  if (found == optimizers_.end()) return;  // the model will say so
  for (const std::string& name : found->second.parameters) {
    const auto gradient = gradients_.find(name);
    if (gradient == gradients_.end()) continue;
    BadSession::unless(!gradient->second.is_stale, "optimizer",
                       "gradients that were cleared since their window ended", "that of " + name);
    BadSession::unless(!gradient->second.is_zeros, "optimizer",
                       "a gradient in this window wherever zero_grad left zeros",
                       "none of " + name);
  }
}

bool SessionOrder::has_gradient(const Optimizer& optimizer) const {
  return std::ranges::any_of(optimizer.parameters, [this](const std::string& name) {
    const auto found = gradients_.find(name);
    return found != gradients_.end() && found->second.is_there;
  });
}

bool SessionOrder::has_unscaled_for_another(const std::string& optimizer) const {
  const auto found = optimizers_.find(optimizer);
  return found != optimizers_.end() && !found->second.unscaled &&
         std::ranges::any_of(found->second.parameters, [this](const std::string& name) {
           const auto gradient = gradients_.find(name);
           return gradient != gradients_.end() && gradient->second.is_there &&
                  gradient->second.is_unscaled;
         });
}

void SessionOrder::operator()(const Unscale& a) {
  require_all_micro_batches();
  require_fresh(a.optimizer);
  Optimizer& o = optimizers_[a.optimizer];
  BadSession::unless(!o.unscaled && !o.stepped, "op", "one unscale in a window, before the step",
                     o.stepped ? "one after it" : "a second");
  o.unscaled = true;
  is_judged_ = is_judged_ || has_gradient(o);
  for (const std::string& name : o.parameters) gradients_[name].is_unscaled = true;
}

void SessionOrder::clip(const std::vector<std::string>& optimizers) {
  BadSession::unless(!optimizers.empty(), "optimizers", "at least one", "none");
  for (const std::string& name : optimizers)
    BadSession::unless(optimizers_[name].unscaled && !optimizers_[name].stepped, "op",
                       "a clip between unscale and step of optimizer " + name,
                       "one before or after");
}

void SessionOrder::operator()(const TakeStep& a) {
  require_all_micro_batches();
  require_fresh(a.optimizer);
  Optimizer& o = optimizers_[a.optimizer];
  BadSession::unless(!o.stepped, "op", "an update after the step of optimizer " + a.optimizer,
                     std::string(a.kName));
  o.stepped = true;
  is_judged_ = is_judged_ || has_gradient(o);
}

void SessionOrder::operator()(const Update&) {
  if (has_begun_) require_all_micro_batches();
  // A library may raise where it has nothing to judge the window by.
  BadSession::unless(is_judged_, "op", "an update after a gradient was unscaled or stepped on",
                     "none");
  for (auto& [name, optimizer] : optimizers_) optimizer.unscaled = optimizer.stepped = false;
  for (auto& [name, gradient] : gradients_) gradient.is_stale = gradient.is_there;
  has_begun_ = is_whole_ = is_judged_ = false;
}

void SessionOrder::operator()(const ZeroGrad& a) {
  for (const std::string& name : optimizers_[a.optimizer].parameters)
    gradients_[name] = {false, false, !a.to_none, false};
}

void SessionOrder::operator()(const SaveLoad& a) {
  bool is_between = !has_begun_;
  for (const auto& [name, optimizer] : optimizers_)
    is_between = is_between && !optimizer.unscaled && !optimizer.stepped;
  BadSession::unless(is_between, "op", "an update before the window is left", std::string(a.kName));
  gradients_.clear();
}

}  // namespace ampcheck::properties
