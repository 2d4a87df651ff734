#include "properties/judge.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "properties/alike_clips.hpp"
#include "properties/answer_form.hpp"
#include "properties/clause.hpp"
#include "properties/difference.hpp"
#include "properties/misuse.hpp"
#include "properties/session.hpp"
#include "properties/told_loss.hpp"
#include "reference/training_window.hpp"

namespace ampcheck::properties {
namespace {

using namespace subject;
using reference::Admissible;
using reference::NumberFormat;
using reference::Rational;
using reference::TrainingWindow;
using reference::Verdict;

// Thrown inside the walk, and caught at its end.
struct Found {
  Fault fault;
};
struct Undecided {
  std::string reason;
};

class Walk {
 public:
  Walk(const Case& played, const std::vector<Answer>& answers, const reference::Policy& policy,
       unsigned decides)
      : case_(played), answers_(answers), model_(policy), decides_(decides) {
    if (this->decides(kRefusal | kRefusalOrNoHarm) || is_about_misuse(played))
      misuses_ = misuses(played);
    if (this->decides(kTrueNorm)) model_.take_true_norms();
  }

  Judgement run() {
    Judgement result;
    try {
      for (step_ = 0; step_ < case_.steps.size() && !ended_; ++step_) one_step();
      result.outcome = !undecided_.empty()       ? Judgement::Outcome::not_judged
                       : judgement_.patterns > 0 ? Judgement::Outcome::pass
                       : dropped_                ? Judgement::Outcome::empty
                                                 : Judgement::Outcome::not_judged;
      result.reason = !undecided_.empty()        ? undecided_
                      : judgement_.patterns == 0 ? "no deciding observation"
                                                 : "";
    } catch (Found& found) {
      result.outcome = Judgement::Outcome::fail;
      result.fault = std::move(found.fault);
    } catch (Undecided& undecided) {
      result.outcome = Judgement::Outcome::unsupported;
      result.reason = std::move(undecided.reason);
    }
    result.patterns = judgement_.patterns;
    result.single = judgement_.single;
    return result;
  }

 private:
  const Step& step() const { return case_.steps[step_]; }
  const Answer& answer() const { return answers_[step_]; }
  bool decides(unsigned what) const { return (decides_ & what) != 0; }

  [[noreturn]] void fail(std::string kind, const std::string& observation, std::string expected,
                         std::string actual, std::string detail = "", std::size_t element = 0,
                         std::size_t rank = 0) const {
    throw Found{{std::move(kind), step_, observation, rank, element, std::move(expected),
                 std::move(actual), std::move(detail)}};
  }

  void not_judged(const std::string& observation, const char* why) {
    if (undecided_.empty())
      undecided_ = "step " + std::to_string(step_) + ": " + observation + " " + why;
  }

  void counted(bool single) {
    ++judgement_.patterns;
    if (single) ++judgement_.single;
  }

  bool shows_parameter(std::size_t step) const {
    return std::ranges::any_of(case_.steps[step].observe, [](const std::string& name) {
      return name.starts_with("parameter/");
    });
  }

  // An exception that a correct implementation may raise here, whatever the model makes of it.
  bool may_raise() const {
    if (const auto* a = std::get_if<TakeStep>(&step().action))
      return !model_.has_gradients(a->optimizer);
    // Nothing was checked; or back-off and growth end in a clear error in the place of a scale that
    // could not be used.
    return std::holds_alternative<Update>(step().action) &&
           (!model_.can_update() || decides(kUsableScale));
  }

  // The scale moves in this step, and may then end in the error that is declared for its floor.
  bool moves_scale() const {
    return std::holds_alternative<Update>(step().action)
               ? model_.can_update()
               : std::holds_alternative<Backward>(step().action);
  }

  void raised(const Answer& a) {
    if (may_raise()) {
      ended_ = decides(kUsableScale);
      if (ended_) counted(false);
      return;
    }
    if (std::holds_alternative<ClipNorm>(step().action)) {
      reference_step(a);
      ended_ = model_.clip_may_refuse();
      if (ended_) counted(false);
    } else if (moves_scale()) {
      reference_step(a);
      ended_ = model_.may_raise();
      // Whatever decides: a case that rightly ends here was judged.
      if (ended_) counted(model_.must_raise());
    }
    if (!ended_) fail("raised", "", "no exception", a.text);
  }

  // Whether a step that misuses the library is to be taken as not done.
  bool refused(const Answer& a, const std::string& misuse) {
    if (a.kind == Answer::Kind::raised) {
      counted(true);
      return true;
    }
    if (decides(kRefusal))
      fail("not refused", "", "an exception, since the step misuses the library: " + misuse,
           "none");
    if (!decides(kRefusalOrNoHarm)) {  // no rule says how such a session goes on
      ended_ = true;
      return true;
    }
    // A micro-batch that comes after unscale is right where all of them are unscaled together.
    if (std::holds_alternative<Backward>(step().action)) model_.take_unscale_back();
    return false;
  }

  void one_step() {
    const Answer& a = answer();
    if (a.kind == Answer::Kind::unsupported)
      throw Undecided{"step " + std::to_string(step_) + " (" + std::string(step().name()) +
                      "): " + a.text};
    if (const auto misuse = misuses_.find(step_);
        misuse != misuses_.end() && refused(a, misuse->second))
      return;
    if (a.kind == Answer::Kind::raised) return raised(a);
    const bool scale_moves = moves_scale();
    alike_.end();
    if (const auto* clip = std::get_if<ClipNorm>(&step().action); clip && decides(kAlike))
      alike_.begin(*clip, step_, model_);
    reference_step(a);
    if (scale_moves && model_.must_raise() && decides(kScale))
      fail("not raised", "", "an exception: an overflow at the declared floor", "none");
    for (const std::string& name : step().observe) {
      const auto found = a.observed.find(name);
      if (found == a.observed.end()) {  // done with another step, and not shown
        if (decides(deciding_bits(name))) not_judged(name, "is not shown");
        continue;
      }
      for (std::size_t rank = 0; rank < found->second.size(); ++rank)
        look(name, found->second[rank], rank);
      if (ended_) return;
    }
    if (decides(kShownVerdict)) require_shown_verdict(a);
  }

  void reference_step(const Answer& a) {
    scales_before_ = model_.scales_in_force();
    apply(step(), &a, model_);
    dropped_ = dropped_ || model_.has_dropped();
    if (a.kind == Answer::Kind::with)
      deferred_until_ = std::max(deferred_until_, static_cast<std::size_t>(a.with));
  }

  void look(const std::string& name, const Value& value, std::size_t rank) {
    const std::size_t slash = name.find('/');
    const std::string kind = name.substr(0, slash);
    const std::string rest = slash == std::string::npos ? "" : name.substr(slash + 1);
    if (kind == "seed") return look_seed(name, value, rank);
    if (kind == "scale") return look_scale(name, value, rank);
    if (kind == "stepped") return look_stepped(name, value, rank);
    if (kind == "found_non_finite") return look_found(name, value, rank);
    if (kind == "loss") return look_loss(name, value, rank);
    if (kind == "norm") return look_norm(name, value, rank);
    if (kind == "gradient") return look_gradient(name, rest, value, rank);
    if (kind == "parameter") return look_parameter(name, rest, value, rank);
    if (kind == "state") return look_state(name, rest, value, rank);
  }

  // One number against its set. Fails, or gives the pattern in the set's format.
  std::uint64_t compare(const std::string& name, std::uint64_t bits, const NumberFormat& format,
                        const Admissible& expected, bool deciding, std::size_t element,
                        std::size_t rank) {
    const std::optional<std::uint64_t> there = same_number(bits, format, expected.format());
    if (deciding) {
      counted(expected.is_single());
      if (!there || !expected.contains(*there))
        fail(kind_of(bits, format, expected), name, expected.to_string(), show(bits, format),
             there ? distance(*there, expected)
                   : "not a number of " + std::string(expected.format().name),
             element, rank);
    }
    return there ? *there : reference::convert({&format, bits}, expected.format());
  }

  void look_seed(const std::string& name, const Value& value, std::size_t rank) {
    if (!std::holds_alternative<Backward>(step().action)) return;
    const auto* seed = std::get_if<Scalar>(&value);
    if (seed == nullptr) {
      if (decides(kSeed)) not_judged(name, "is null");
      return;
    }
    compare(name, seed->bits, *seed->format, model_.seed(), decides(kSeed), 0, rank);
  }

  // What clips of the same gradients have given must not differ.
  void look_alike(const std::string& name, const NumberFormat& format,
                  const std::vector<std::uint64_t>& bits, std::size_t rank) {
    if (!decides(kAlike)) return;
    const std::optional<AlikeClips::First> first = alike_.seen(name, rank, format, bits);
    for (std::size_t i = 0; first && i < std::min(bits.size(), first->bits.size()); ++i) {
      counted(true);
      if (bits[i] == first->bits[i] || (format.is_zero(bits[i]) && first->bits[i] == 0)) continue;
      fail("not alike", name, show(first->bits[i], format), show(bits[i], format),
           "step " + std::to_string(first->step) + " clips the same gradients to the same limit", i,
           rank);
    }
  }

  void look_norm(const std::string& name, const Value& value, std::size_t rank) {
    const auto* norm = std::get_if<Scalar>(&value);
    if (norm == nullptr && model_.norm() && !model_.norm()->computed.may_be_finite())
      return;  // a gradient with an inf or NaN need not be clipped, nor its norm be taken
    if (norm == nullptr || !model_.norm()) {
      if (decides(kNorm | kAlike)) not_judged(name, "is null");
      return;
    }
    look_alike(name, *norm->format, {norm->bits}, rank);
    const reference::Norm& known = *model_.norm();
    const bool is_wide =
        known.wide && !same_number(norm->bits, *norm->format, known.computed.format());
    compare(name, norm->bits, *norm->format, is_wide ? *known.wide : known.computed, decides(kNorm),
            0, rank);
  }

  void look_scale(const std::string& name, const Value& value, std::size_t rank) {
    const auto* scale = std::get_if<Scalar>(&value);
    if (scale == nullptr) {
      if (model_.enabled() && decides(kScale | kUsableScale)) not_judged(name, "is null");
      return;
    }
    const NumberFormat& f = *scale->format;
    // What a disabled scaler shows moves nothing.
    if (!model_.enabled()) {
      if (!decides(kScale | kGradient)) return;
      const bool is_one =
          f.is_finite(scale->bits) && reference::value_of(scale->bits, f) == Rational(1);
      if (!is_one)
        fail("wrong scale", name, "1, or null: the scaler is disabled", show(scale->bits, f), "", 0,
             rank);
      return;
    }
    const bool positive =
        f.is_finite(scale->bits) && !f.is_zero(scale->bits) && !f.is_negative(scale->bits);
    if (decides(kUsableScale)) {
      counted(true);
      if (!positive || !reference::is_usable(reference::value_of(scale->bits, f),
                                             reference::binary32, model_.policy()))
        fail("unusable scale", name,
             "finite and positive, and so its seed in binary32 and what the declared unscale "
             "arithmetic makes of it",
             show(scale->bits, f), "", 0, rank);
    }
    if (!positive) {
      if (decides(kScale))
        fail("unusable scale", name, scales(), show(scale->bits, f), "", 0, rank);
      ended_ = true;  // the rules say nothing of what follows
      return;
    }
    const Rational seen = reference::value_of(scale->bits, f);
    if (decides(kScale)) {
      const std::vector<Rational> known = model_.scales_in_force();
      counted(known.size() == 1);
      if (std::find(known.begin(), known.end(), seen) == known.end())
        fail("wrong scale", name, scales(), show(scale->bits, f), "", 0, rank);
    }
    model_.saw_scale(seen);
  }

  std::string scales() const {
    const NumberFormat& f = *model_.policy().scale_format;
    Admissible set(f);
    for (const Rational& scale : model_.scales_in_force()) set.add(reference::round_to(scale, f));
    return set.to_string();
  }

  void look_stepped(const std::string& name, const Value& value, std::size_t rank) {
    const auto* taken = std::get_if<TakeStep>(&step().action);
    if (taken == nullptr) return;
    const auto* stepped = std::get_if<bool>(&value);
    if (stepped == nullptr) {
      if (decides(kStepped)) not_judged(name, "is null");
      return;
    }
    if (!decides(kStepped | kShownVerdict) || !model_.has_gradients(taken->optimizer)) return;
    const Verdict verdict = model_.verdict(taken->optimizer);
    counted(verdict != Verdict::unknown);
    if (verdict == Verdict::clean && !*stepped)
      fail("clean step skipped", name, "the step is taken", "it was skipped", "", 0, rank);
    if (verdict == Verdict::overflow && *stepped)
      fail("step on inf or NaN", name, "the step is skipped", "it was taken", "", 0, rank);
  }

  // Of a disabled scaler, and of gradients that are not there, nothing needs to be found.
  void look_found(const std::string& name, const Value& value, std::size_t rank) {
    const auto* taken = std::get_if<TakeStep>(&step().action);
    const auto* unscaled = std::get_if<Unscale>(&step().action);
    const auto* found = std::get_if<bool>(&value);
    if (!decides(kShownVerdict) || found == nullptr || !model_.enabled()) return;
    if (taken == nullptr && unscaled == nullptr) return;
    const std::string& optimizer = taken != nullptr ? taken->optimizer : unscaled->optimizer;
    if (!model_.has_gradients(optimizer)) return;
    // Where one optimizer skips for all, it may be found by each of them, or by the one.
    const Verdict own = model_.own_verdict(optimizer), all = model_.verdict(optimizer);
    const bool is_open = own != all || own == Verdict::unknown || model_.has_dropped();
    counted(!is_open);
    if (is_open) return;
    if (own == Verdict::clean && *found)
      fail("wrong verdict", name, "false: the gradients are finite", "true", "", 0, rank);
    if (own == Verdict::overflow && !*found)
      fail("wrong verdict", name, "true: an inf or NaN is among the gradients", "false", "", 0,
           rank);
  }

  // A step says whether it was taken, in one way or the other.
  void require_shown_verdict(const Answer& a) const {
    const auto* taken = std::get_if<TakeStep>(&step().action);
    if (taken == nullptr || !model_.enabled() || !model_.has_gradients(taken->optimizer)) return;
    for (const char* name : {"stepped", "found_non_finite"})
      if (const auto seen = a.observed.find(name);
          seen != a.observed.end() && std::ranges::all_of(seen->second, [](const Value& value) {
            return std::holds_alternative<bool>(value);
          }))
        return;
    fail("no verdict", "stepped", "true or false, or found_non_finite", "null");
  }

  void look_loss(const std::string& name, const Value& value, std::size_t rank) {
    if (!decides(kLoss)) return;
    const auto* loss = std::get_if<Scalar>(&value);
    if (loss == nullptr) return has_no_loss(step()) ? counted(false) : not_judged(name, "is null");
    const std::optional<ToldLoss> told = told_loss(step(), *loss, scales_before_, model_.policy());
    if (!told) return;
    compare(name, told->shown.bits, *told->shown.format, told->expected, true, 0, rank);
  }

  // Tensors: the pattern of every element, compared where that decides.
  std::vector<Admissible> compare_all(const std::string& name, const Tensor& tensor,
                                      const std::vector<Admissible>& expected, bool deciding,
                                      std::size_t rank) {
    if (tensor.bits.size() != expected.size()) {
      if (deciding)
        fail("wrong shape", name, std::to_string(expected.size()) + " elements",
             std::to_string(tensor.bits.size()) + " elements", "", 0, rank);
      return expected;
    }
    // An inf or NaN says more than whatever else is wrong beside it.
    for (std::size_t i = 0; deciding && i < expected.size(); ++i)
      if (!tensor.format->is_finite(tensor.bits[i]) && !expected[i].may_be_non_finite())
        compare(name, tensor.bits[i], *tensor.format, expected[i], deciding, i, rank);
    std::vector<Admissible> seen;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const NumberFormat& f = expected[i].format();
      seen.push_back(Admissible::of(
          f, compare(name, tensor.bits[i], *tensor.format, expected[i], deciding, i, rank)));
    }
    return seen;
  }

  void look_gradient(const std::string& name, const std::string& parameter, const Value& value,
                     std::size_t rank) {
    const auto* seen = std::get_if<ObservedTensor>(&value);
    const bool deciding = decides(kGradient | kAlike);
    if (model_.is_spent(parameter)) return;
    if (seen == nullptr) {
      if (deciding) not_judged(name, "is null");
      return;
    }
    if (!model_.has_gradient(parameter)) return;
    // A disabled scaler leaves one kind of gradient only, whatever its unit is called.
    const bool one_kind = !model_.enabled() && seen->unit == Unit::scaled;
    switch (one_kind ? Unit::unscaled : seen->unit) {
      case Unit::scaled:
        if (model_.is_unscaled(parameter)) {
          // What is left to a later step has to be seen there, or it is seen nowhere.
          if (!deciding) return;
          if (step_ >= deferred_until_)
            fail("still scaled", name, "an unscaled gradient", "a scaled one", "", 0, rank);
          if (!decides(kParameter) || !shows_parameter(deferred_until_))
            not_judged(name, "is left to a step that does not show its parameter");
          return;
        }
        model_.saw_scaled_gradient(
            parameter, compare_all(name, seen->tensor, model_.scaled_gradient(parameter),
                                   decides(kGradient), rank));
        return;
      case Unit::unscaled: {
        std::vector<Admissible> values = compare_all(
            name, seen->tensor, model_.unscaled_gradient(parameter), decides(kGradient), rank);
        look_alike(name, *seen->tensor.format, seen->tensor.bits, rank);
        if (model_.is_unscaled(parameter)) model_.saw_unscaled_gradient(parameter, values);
        return;
      }
      case Unit::cleared:
        if (deciding) fail("no gradient", name, "a gradient", "none", "", 0, rank);
        return;
      case Unit::none:
      case Unit::unknown:
        if (deciding) not_judged(name, "has an unknown unit");
        return;
    }
  }

  void look_parameter(const std::string& name, const std::string& parameter, const Value& value,
                      std::size_t rank) {
    const auto* seen = std::get_if<ObservedTensor>(&value);
    bool deciding = decides(kParameter);
    if (seen == nullptr) {
      if (deciding) not_judged(name, "is null");
      return;
    }
    if (deciding && !model_.parameter_is_known(parameter)) {
      // What a policy drops leaves sums that no case was made for.
      if (!dropped_) not_judged(name, "is not determined by the rules here");
      deciding = false;
    }
    model_.saw_parameter(
        parameter, compare_all(name, seen->tensor, model_.parameter(parameter), deciding, rank));
  }

  // State, where the rules know it.
  void compare_state(const std::string& name, const std::string& parameter, const std::string& slot,
                     const Tensor& seen, std::size_t rank) {
    const std::vector<Admissible> known = model_.state(parameter, slot, *seen.format);
    if (!known.empty()) compare_all(name, seen, known, true, rank);
  }

  void look_state(const std::string& name, const std::string& rest, const Value& value,
                  std::size_t rank) {
    const std::size_t slash = rest.find('/');
    const std::string parameter = rest.substr(0, slash);
    const std::string slot = slash == std::string::npos ? "" : rest.substr(slash + 1);
    const auto* seen = std::get_if<ObservedTensor>(&value);
    const std::vector<std::uint64_t>* kept = model_.kept_state(parameter, slot);
    if (seen == nullptr) {
      if (decides(kState)) not_judged(name, "is null");
      return;
    }
    if (decides(kState)) compare_state(name, parameter, slot, seen->tensor, rank);
    if (kept != nullptr && decides(kState)) {
      const NumberFormat& f = *seen->tensor.format;
      if (kept->size() != seen->tensor.bits.size())
        fail("state changed", name, std::to_string(kept->size()) + " elements",
             std::to_string(seen->tensor.bits.size()), "", 0, rank);
      for (std::size_t i = 0; i < kept->size(); ++i) {
        const std::uint64_t before = (*kept)[i], now = seen->tensor.bits[i];
        counted(true);
        const bool same = before == now || (f.is_zero(before) && f.is_zero(now)) ||
                          (model_.policy().may_flush && f.is_subnormal(before) && f.is_zero(now));
        if (!same) fail("state changed", name, show(before, f), show(now, f), "", i, rank);
      }
    }
    model_.saw_state(parameter, slot, *seen->tensor.format, seen->tensor.bits);
  }

  const Case& case_;
  const std::vector<Answer>& answers_;
  TrainingWindow model_;
  AlikeClips alike_;
  unsigned decides_;
  std::size_t step_ = 0;
  std::vector<Rational> scales_before_;  // those in force when the step began
  bool ended_ = false;
  bool dropped_ = false;            // a micro-batch, as the policy allows
  std::size_t deferred_until_ = 0;  // work of earlier steps is left to this one
  Judgement judgement_;             // counts only
  std::string undecided_;
  std::map<std::size_t, std::string> misuses_;  // by their steps
};

Judgement malformed(std::string reason) {
  Judgement result;
  result.outcome = Judgement::Outcome::malformed;
  result.reason = std::move(reason);
  return result;
}

}  // namespace

Judgement judge(const Case& played, const std::vector<Answer>& answers,
                const reference::Policy& policy, unsigned decides) {
  if (std::string fault = form_fault(played, answers); !fault.empty())
    return malformed(std::move(fault));
  return Walk(played, answers, policy, decides).run();
}

}  // namespace ampcheck::properties
