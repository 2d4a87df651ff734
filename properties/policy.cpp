#include "properties/policy.hpp"

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>

#include "reference/rounding.hpp"

namespace ampcheck::properties {
namespace {

template <typename T>
T choose(const subject::Policy& policy, const char* axis,
         std::initializer_list<std::pair<const char*, T>> choices) {
  const std::string word = policy.at(axis).word;
  if (word.empty()) return choices.begin()->second;
  for (const auto& [name, value] : choices)
    if (word == name) return value;
  throw std::invalid_argument("policy." + std::string(axis) + ": unknown value " + word);
}

std::optional<reference::Rational> number(const subject::Policy& policy, const char* axis) {
  const subject::PolicyValue value = policy.at(axis);
  if (value.number.format == nullptr) return std::nullopt;
  if (!value.number.format->is_finite(value.number.bits))
    throw std::invalid_argument("policy." + std::string(axis) + ": not a finite number");
  return reference::value_of(value.number.bits, *value.number.format);
}

// As a limit of the scale holds it: in the format of scales, where that has it.
std::optional<reference::Rational> scale_limit(const subject::Policy& policy, const char* axis,
                                               const reference::NumberFormat& format) {
  const std::optional<reference::Rational> declared = number(policy, axis);
  if (!declared) return declared;
  const std::uint64_t bits = reference::round_to(*declared, format);
  if (!format.is_finite(bits) || format.is_zero(bits)) return declared;
  return reference::value_of(bits, format);
}

}  // namespace

reference::Policy reference_policy(const subject::Policy& p) {
  using namespace reference;
  const auto wide_format = [&](const char* axis) {
    return choose<const NumberFormat*>(p, axis, {{"binary32", &binary32}, {"binary64", &binary64}});
  };
  Policy result;
  result.unscale =
      choose<UnscaleArithmetic>(p, "unscale",
                                {{"division", UnscaleArithmetic::division},
                                 {"reciprocal_binary32", UnscaleArithmetic::reciprocal_binary32},
                                 {"reciprocal_binary64", UnscaleArithmetic::reciprocal_binary64},
                                 {"either", UnscaleArithmetic::either}});
  result.unscale_format = wide_format("unscale_format");
  result.output_is_gradient_format =
      choose<bool>(p, "output_format", {{"gradient", true}, {"binary32", false}});
  result.scale_format = wide_format("scale_format");
  result.factor_format = wide_format("factor_format");
  result.growth_rule = choose<GrowthRule>(p, "growth_rule",
                                          {{"n", GrowthRule::n},
                                           {"n_plus_one", GrowthRule::n_plus_one},
                                           {"n_plus_one_once", GrowthRule::n_plus_one_once}});
  result.growth_limit = choose<GrowthLimit>(
      p, "growth_limit", {{"refuse", GrowthLimit::refuse}, {"clamp", GrowthLimit::clamp}});
  // The words are the numbers: "1" is the strict one.
  result.hysteresis = choose<int>(p, "hysteresis", {{"1", 1}, {"2", 2}, {"3", 3}, {"4", 4}});
  result.hysteresis_refill = choose<HysteresisRefill>(
      p, "hysteresis_refill",
      {{"growth", HysteresisRefill::growth},
       {"clean_step", HysteresisRefill::clean_step},
       {"clean_step_and_back_off", HysteresisRefill::clean_step_and_back_off}});
  result.scale_lags = choose<bool>(p, "scale_lag", {{"0", false}, {"1", true}});
  result.at_floor = choose<AtFloor>(p, "at_floor",
                                    {{"hold", AtFloor::hold},
                                     {"raise", AtFloor::raise},
                                     {"raise_on_reaching", AtFloor::raise_on_reaching}});
  result.floor = scale_limit(p, "floor", *result.scale_format);
  result.ceiling = scale_limit(p, "ceiling", *result.scale_format);
  result.accumulates_unscaled =
      choose<bool>(p, "accumulation", {{"scaled", false}, {"unscaled", true}});
  result.update_at_micro_batch =
      choose<bool>(p, "update_at", {{"window", false}, {"micro_batch", true}});
  result.narrow_accumulator =
      choose<bool>(p, "accumulator", {{"wide", false}, {"parameter", true}});
  result.drops_bad_micro_batches =
      choose<bool>(p, "bad_micro_batch", {{"poisons", false}, {"dropped", true}});
  result.norm_of_scaled = choose<bool>(p, "norm_input", {{"unscaled", false}, {"scaled", true}});
  result.norm_of_tensor_norms =
      choose<bool>(p, "norm_algorithm",
                   {{"sum_of_squares", false}, {"of_tensor_norms", true}, {"rescaled", false}});
  result.norm_is_rescaled = p.at("norm_algorithm").word == "rescaled";
  result.narrow_norm = choose<bool>(p, "norm_format", {{"wide", false}, {"gradient", true}});
  result.clip_formula =
      choose<ClipFormula>(p, "clip_formula",
                          {{"quotient", ClipFormula::quotient},
                           {"reciprocal_product", ClipFormula::reciprocal_product},
                           {"limit_minimum", ClipFormula::limit_minimum},
                           {"exact", ClipFormula::exact}});
  result.clip_epsilon = number(p, "clip_epsilon").value_or(0);
  result.unneeded_clip_multiplies =
      choose<bool>(p, "unneeded_clip", {{"identity", false}, {"multiplies", true}});
  result.step_arithmetic = choose<StepArithmetic>(p, "step_arithmetic",
                                                  {{"separate", StepArithmetic::separate},
                                                   {"fused", StepArithmetic::fused},
                                                   {"either", StepArithmetic::either}});
  result.adam_epsilon = choose<AdamEpsilon>(
      p, "adam_epsilon", {{"plain", AdamEpsilon::plain}, {"hat", AdamEpsilon::hat}});
  result.adam_corrects_bias = choose<bool>(p, "adam_bias", {{"corrected", true}, {"kept", false}});
  result.adamw_decay = choose<AdamWDecay>(
      p, "adamw_decay", {{"times_rate", AdamWDecay::times_rate}, {"alone", AdamWDecay::alone}});
  result.copy_rounding = choose<CopyRounding>(
      p, "copy_rounding",
      {{"nearest", CopyRounding::nearest_even}, {"stochastic", CopyRounding::stochastic}});
  result.may_flush = choose<bool>(p, "subnormals", {{"kept", false}, {"may_flush", true}});
  result.finite_test_is_norm =
      choose<bool>(p, "finite_test", {{"elements", false}, {"norm", true}});
  result.schedule_advances_on_skip =
      choose<bool>(p, "schedule_on_skip", {{"holds", false}, {"advances", true}});
  result.skips_all = choose<bool>(p, "skip_scope", {{"optimizer", false}, {"all", true}});
  return result;
}

}  // namespace ampcheck::properties
