// The model of a session: a scaler, optimizers and windows of micro-batches under a policy.
//
// The five rules composed. The model never knows a subject's values, only the sets in which they
// may lie; what was observed can be fed back (saw_…), so that sets do not widen from step to step
// and a fault is looked for where it arose, not in all that follows from it.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "reference/accumulation.hpp"
#include "reference/bad_session.hpp"
#include "reference/clipping.hpp"
#include "reference/optimizer_state.hpp"
#include "reference/policy.hpp"
#include "reference/scale_schedule.hpp"
#include "reference/scaling.hpp"
#include "reference/sgd_step.hpp"
#include "reference/skipping.hpp"
#include "reference/token_normalization.hpp"

namespace ampcheck::reference {

enum class OptimizerRule { sgd, adam, adamw };

// Coefficients of one micro-batch in one parameter.
struct Delivery {
  std::string parameter;
  const NumberFormat* format = nullptr;        // of the coefficients
  const NumberFormat* delivered_in = nullptr;  // F, in which S·c is rounded
  std::vector<std::uint64_t> bits;
};

class TrainingWindow {
 public:
  explicit TrainingWindow(Policy policy) : policy_(std::move(policy)) {}

  // From now on norms, and clips by them, are those of the gradients whatever overflows or
  // underflows on the way to them.
  void take_true_norms() { exponents_ = Exponents::unbounded; }

  const Policy& policy() const { return policy_; }

  void make_scaler(const Number& init_scale, const ScaleRule& rule, bool enabled);
  // One more name for a parameter.
  void make_alias(const std::string& name, const std::string& parameter);
  void make_parameter(const std::string& name, const NumberFormat& format,
                      const std::vector<std::uint64_t>& initial);
  // With master weights (SGD, parameters of binary16 or bfloat16 that no other optimizer names) it
  // moves a binary32 number in the place of each parameter, which is a copy of it: at first the
  // parameter's value, then rounded to the parameter's format at every step that is taken.
  void make_optimizer(const std::string& name, OptimizerRule rule, Hyper hyper,
                      std::vector<std::string> parameters, bool has_masters = false);
  // Its learning rates, one for each step that the schedule counts, the last for all that follow;
  // they stand in the place of `lr`. Counted are steps that are taken, or as the policy has it.
  void set_schedule(const std::string& optimizer, std::vector<Number> rates);

  // A micro-batch. Seed and cotangent as they were observed, where they were: what reaches the
  // accumulator hangs on the cotangent that the subject really back-propagated.
  void backward(const NumberFormat& loss_format, std::int64_t divide,
                const std::vector<Delivery>& deliveries, std::optional<Number> seed = {},
                std::optional<Number> cotangent = {});
  // A window of tokens: `terms[j]` are the counted terms of element j.
  void token_window(const std::string& parameter, const std::vector<std::vector<TokenTerm>>& terms,
                    const TokenDivisor& divisor, std::int64_t ranks,
                    const NumberFormat& loss_format);
  void unscale(const std::string& optimizer);
  // The gradients of this window are scaled again, and not clipped: what a micro-batch that comes
  // after unscale asks for.
  void take_unscale_back();
  void clip_norm(const std::vector<std::string>& optimizers, const Number& limit,
                 NormOrder order = {});
  void clip_value(const std::vector<std::string>& optimizers, const Number& limit);
  // `stepped` as observed; it decides only where the rules leave it open.
  void step(const std::string& optimizer, std::optional<bool> stepped = {});
  void update();
  void zero_grad(const std::string& optimizer);
  // All gradients are cleared; nothing else changes.
  void save_load();

  // What may be seen now. Nothing: the rules do not say.
  const Admissible& seed() const { return *seed_; }
  const Admissible& cotangent() const { return *cotangent_; }
  const std::vector<ScaleState>& scales() const { return scales_; }
  // Those in force, each once.
  std::vector<Rational> scales_in_force() const;
  // The last backward or update may, or must, have ended in an error: the scale is at its floor.
  bool may_raise() const { return may_raise_; }
  bool must_raise() const { return must_raise_; }
  bool enabled() const { return enabled_; }
  // Gradients between backward and step. Empty where the parameter has none.
  const std::vector<Admissible>& scaled_gradient(const std::string& parameter) const;
  const std::vector<Admissible>& unscaled_gradient(const std::string& parameter) const;
  bool is_unscaled(const std::string& parameter) const;
  bool has_gradient(const std::string& parameter) const;
  // Stepped on and not cleared since: the gradient may be anything.
  bool is_spent(const std::string& parameter) const;
  bool has_parameter(const std::string& name) const {
    return parameters_.contains(first_name(name));
  }
  const std::vector<Admissible>& parameter(const std::string& name) const;
  bool parameter_is_known(const std::string& name) const;
  bool has_master(const std::string& name) const { return at(name).master.has_value(); }
  // Of a parameter that has one, in binary32.
  const std::vector<Admissible>& master(const std::string& name) const;
  bool master_is_known(const std::string& name) const { return at(name).master->known; }
  const std::optional<Norm>& norm() const { return norm_; }
  // The norm of the last clip may come out as inf or NaN by the declared algorithm, and the clip
  // may refuse it.
  bool clip_may_refuse() const { return clip_may_refuse_; }
  // Parameters of these optimizers that have a gradient, each once, by their first names.
  std::vector<std::string> with_gradient(const std::vector<std::string>& optimizers) const;
  // A micro-batch with an inf or NaN was dropped since the last update, as the policy allows.
  bool has_dropped() const { return has_dropped_; }
  // Of the optimizer's gradients as they stand: overflow skips, clean steps, unknown may do either.
  Verdict verdict(const std::string& optimizer) const;
  // The same where others, too, may skip it.
  Verdict own_verdict(const std::string& optimizer) const;
  bool has_gradients(const std::string& optimizer) const;
  // Whether an update has something to go by.
  bool can_update() const;
  // State of the optimizer that names the parameter so, as it must be: what was seen last, where
  // nothing but skipped steps came after.
  const std::vector<std::uint64_t>* kept_state(const std::string& parameter,
                                               const std::string& slot) const;
  // The same by the rules, see OptimizerState::slot.
  std::vector<Admissible> state(const std::string& parameter, const std::string& slot,
                                const NumberFormat& format) const;

  // What was seen.
  void saw_scale(const Rational& scale);
  void saw_scaled_gradient(const std::string& parameter, const std::vector<Admissible>& values);
  void saw_unscaled_gradient(const std::string& parameter, const std::vector<Admissible>& values);
  void saw_parameter(const std::string& name, const std::vector<Admissible>& values);
  void saw_master(const std::string& name, const std::vector<Admissible>& values);
  void saw_state(const std::string& parameter, const std::string& slot, const NumberFormat& format,
                 std::vector<std::uint64_t> bits);

 private:
  struct Master {
    std::vector<Admissible> values;
    bool known = true;
    bool is_copied = false;  // since the parameter was seen last
  };
  struct Parameter {
    const NumberFormat* format;
    std::vector<Admissible> values;
    std::optional<Master> master;
    bool known = true;
    bool has_gradient = false;
    bool is_spent = false;  // stepped on and not cleared since
    std::vector<Sum> sums;
    // The same where each micro-batch is unscaled by the addition itself, a fused multiply-add.
    std::vector<Sum> fused_sums;
    // What `sums` and their unscaling come to; empty until asked for, and again after a change.
    mutable std::optional<std::vector<Admissible>> summed, divided;
    std::optional<std::vector<Admissible>> unscaled;  // after unscaling and clipping
    // What `sums` come to after clipping, where norms go by that.
    std::optional<std::vector<Admissible>> clipped;
    bool bad_micro_batch = false;  // unscaled accumulation saw an inf or NaN
  };
  struct Optimizer {
    OptimizerRule rule;
    Hyper hyper;
    std::vector<std::string> parameters;  // by their first names
    std::vector<OptimizerState> states;   // of each of them
    std::optional<Verdict> found;         // of this window, once unscaled or stepped
    std::vector<Number> schedule;         // of learning rates; none: that of `hyper`
    std::size_t scheduled = 0;            // steps that it has counted
    bool schedule_known = true;           // false after a step that may have been counted
  };

  void require_scaler() const;
  void make_master(const std::string& parameter);
  Parameter& at(const std::string& parameter);
  const Parameter& at(const std::string& parameter) const;
  Optimizer& optimizer(const std::string& name);
  const Optimizer& optimizer(const std::string& name) const;
  const std::vector<Admissible>& sums_of(const Parameter& parameter) const;
  const std::vector<Admissible>& unscale_of(const Parameter& parameter) const;
  const std::string& first_name(const std::string& parameter) const;
  OptimizerState& state_of(const std::string& parameter);
  const OptimizerState& state_of(const std::string& parameter) const;
  // That of the last clip, of unscaled gradients.
  void take_norm(const std::vector<std::string>& clipped, NormOrder order);
  Admissible unscaled_norm(const Admissible& norm, const NumberFormat& to) const;
  // Gradients are clipped while they are still scaled, and their norm is that over the scale.
  bool norms_are_of_scaled() const {
    return policy_.norm_of_scaled && enabled_ && !policy_.accumulates_unscaled;
  }
  Verdict own_verdict(const Optimizer& optimizer) const;
  void add_fused(Sum& sum, const Admissible& scaled, const Admissible& term) const;
  void add_to(Parameter& parameter, const std::vector<Admissible>& scaled);
  static void clear(Parameter& parameter);
  void take_step(Optimizer& optimizer);
  void copy_master(Parameter& parameter) const;
  static void count_step(Optimizer& optimizer);
  static void forget_values(Parameter& parameter);
  void skip_step(const Optimizer& optimizer);
  void move_scales(Verdict found);

  Policy policy_;
  bool enabled_ = true;
  ScaleRule rule_;
  std::vector<ScaleState> scales_;
  std::vector<Rational> scaled_with_;  // the scales of the running window
  bool has_dropped_ = false;           // a micro-batch of the running window
  bool moved_inside_ = false;  // the scale was updated by the micro-batches of the running window
  bool may_raise_ = false, must_raise_ = false;
  std::optional<Admissible> seed_, cotangent_;
  Exponents exponents_ = Exponents::of_the_format;
  std::optional<Norm> norm_;
  bool clip_may_refuse_ = false;
  std::map<std::string, Parameter> parameters_;
  std::map<std::string, std::string> first_names_;  // of parameters, by their other names
  std::map<std::string, Optimizer> optimizers_;
  // The optimizer that names a parameter so, and which of its own it is.
  std::map<std::string, std::pair<std::string, std::size_t>> owners_;
};

}  // namespace ampcheck::reference
