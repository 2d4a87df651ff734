// What a step shows as one number or one word.
#include <algorithm>

#include "properties/clause.hpp"
#include "properties/difference.hpp"
#include "properties/judge_walk.hpp"
#include "properties/told_loss.hpp"

namespace ampcheck::properties::judging {

void Walk::look_seed(const std::string& name, const Value& value, std::size_t rank) {
  if (!std::holds_alternative<Backward>(step().action)) return;
  const auto* seed = std::get_if<Scalar>(&value);
  if (seed == nullptr) {
    if (decides(kSeed)) not_judged(name, "is null");
    return;
  }
  compare(name, seed->bits, *seed->format, model_.seed(), decides(kSeed), 0, rank);
}

void Walk::look_norm(const std::string& name, const Value& value, std::size_t rank) {
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

void Walk::look_scale(const std::string& name, const Value& value, std::size_t rank) {
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
    if (!positive || !reference::is_usable(reference::value_of(scale->bits, f), reference::binary32,
                                           model_.policy()))
      fail("unusable scale", name,
           "finite and positive, and so its seed in binary32 and what the declared unscale "
           "arithmetic makes of it",
           show(scale->bits, f), "", 0, rank);
  }
  if (!positive) {
    if (decides(kScale)) fail("unusable scale", name, scales(), show(scale->bits, f), "", 0, rank);
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

std::string Walk::scales() const {
  const NumberFormat& f = *model_.policy().scale_format;
  Admissible set(f);
  for (const Rational& scale : model_.scales_in_force()) set.add(reference::round_to(scale, f));
  return set.to_string();
}

void Walk::look_stepped(const std::string& name, const Value& value, std::size_t rank) {
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

void Walk::look_found(const std::string& name, const Value& value, std::size_t rank) {
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
    fail("wrong verdict", name, "true: an inf or NaN is among the gradients", "false", "", 0, rank);
}

void Walk::require_shown_verdict(const Answer& a) const {
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

void Walk::look_loss(const std::string& name, const Value& value, std::size_t rank) {
  if (!decides(kLoss)) return;
  const auto* loss = std::get_if<Scalar>(&value);
  if (loss == nullptr) return has_no_loss(step()) ? counted(false) : not_judged(name, "is null");
  const std::optional<ToldLoss> told = told_loss(step(), *loss, scales_before_, model_.policy());
  if (!told) return;
  compare(name, told->shown.bits, *told->shown.format, told->expected, true, 0, rank);
}

}  // namespace ampcheck::properties::judging
