#include "properties/judge_walk.hpp"

#include <algorithm>
#include <utility>

#include "properties/clause.hpp"
#include "properties/difference.hpp"
#include "properties/misuse.hpp"
#include "properties/session.hpp"

namespace ampcheck::properties::judging {
namespace {

// Thrown inside the walk, and caught at its end.
struct Found {
  Fault fault;
};
struct Undecided {
  std::string reason;
};

}  // namespace

Walk::Walk(const Case& played, const std::vector<Answer>& answers, const reference::Policy& policy,
           unsigned decides, Coverage* coverage)
    : case_(played), answers_(answers), model_(policy), decides_(decides) {
  if (coverage != nullptr) rounded_.emplace(*coverage, model_.policy());
  if (this->decides(kRefusal | kRefusalOrNoHarm) || is_about_misuse(played))
    misuses_ = misuses(played);
  if (this->decides(kTrueNorm)) model_.take_true_norms();
}

Judgement Walk::run() {
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

void Walk::fail(std::string kind, const std::string& observation, std::string expected,
                std::string actual, std::string detail, std::size_t element,
                std::size_t rank) const {
  throw Found{{std::move(kind), step_, observation, rank, element, std::move(expected),
               std::move(actual), std::move(detail)}};
}

void Walk::not_judged(const std::string& observation, const char* why) {
  if (undecided_.empty())
    undecided_ = "step " + std::to_string(step_) + ": " + observation + " " + why;
}

void Walk::counted(bool single) {
  ++judgement_.patterns;
  if (single) ++judgement_.single;
}

bool Walk::shows_parameter(std::size_t step) const {
  return std::ranges::any_of(case_.steps[step].observe, [](const std::string& name) {
    return name.starts_with("parameter/");
  });
}

bool Walk::may_raise() const {
  if (const auto* a = std::get_if<TakeStep>(&step().action))
    return !model_.has_gradients(a->optimizer);
  // Nothing was checked; or back-off and growth end in a clear error in the place of a scale that
  // could not be used.
  return std::holds_alternative<Update>(step().action) &&
         (!model_.can_update() || decides(kUsableScale));
}

bool Walk::moves_scale() const {
  return std::holds_alternative<Update>(step().action)
             ? model_.can_update()
             : std::holds_alternative<Backward>(step().action);
}

void Walk::raised(const Answer& a) {
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

bool Walk::refused(const Answer& a, const std::string& misuse) {
  if (a.kind == Answer::Kind::raised) {
    counted(true);
    return true;
  }
  if (decides(kRefusal))
    fail("not refused", "", "an exception, since the step misuses the library: " + misuse, "none");
  if (!decides(kRefusalOrNoHarm)) {  // no rule says how such a session goes on
    ended_ = true;
    return true;
  }
  // A micro-batch that comes after unscale is right where all of them are unscaled together.
  if (std::holds_alternative<Backward>(step().action)) model_.take_unscale_back();
  return false;
}

void Walk::one_step() {
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

void Walk::reference_step(const Answer& a) {
  if (decides(kLoss)) scales_before_ = model_.scales_in_force();
  if (rounded_) rounded_->before(step(), model_);
  apply(step(), &a, model_);
  if (rounded_) rounded_->after(step(), model_);
  dropped_ = dropped_ || model_.has_dropped();
  if (a.kind == Answer::Kind::with)
    deferred_until_ = std::max(deferred_until_, static_cast<std::size_t>(a.with));
}

void Walk::look(const std::string& name, const Value& value, std::size_t rank) {
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
  if (kind == "master") return look_master(name, rest, value, rank);
  if (std::holds_alternative<Recipe>(step().action)) return look_recipe(name, value, rank);
  if (kind == "state") return look_state(name, rest, value, rank);
}

std::uint64_t Walk::compare(const std::string& name, std::uint64_t bits, const NumberFormat& format,
                            const Admissible& expected, bool deciding, std::size_t element,
                            std::size_t rank) {
  const std::optional<std::uint64_t> there = same_number(bits, format, expected.format());
  if (deciding) {
    // Copies that are rounded by chance are counted by their kinds (look_odds).
    if (!decides(kOdds) || expected.is_single()) counted(expected.is_single());
    if (!there || !expected.contains(*there))
      fail(kind_of(bits, format, expected), name, expected.to_string(), show(bits, format),
           there ? distance(*there, expected)
                 : "not a number of " + std::string(expected.format().name),
           element, rank);
  }
  return there ? *there : reference::convert({&format, bits}, expected.format());
}

}  // namespace ampcheck::properties::judging
