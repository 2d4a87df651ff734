#include "subject/policy.hpp"

namespace ampcheck::subject {
namespace {

using Words = std::string_view;
constexpr Words kUnscale[] = {"division", "reciprocal_binary32", "reciprocal_binary64", "either"};
constexpr Words kWideFormat[] = {"binary32", "binary64"};
constexpr Words kOutput[] = {"gradient", "binary32"};
constexpr Words kGrowthRule[] = {"n", "n_plus_one", "n_plus_one_once"};
constexpr Words kGrowthLimit[] = {"refuse", "clamp"};
constexpr Words kHysteresis[] = {"1", "2", "3", "4"};
constexpr Words kHysteresisRefill[] = {"growth", "clean_step", "clean_step_and_back_off"};
constexpr Words kScaleLag[] = {"0", "1"};
constexpr Words kAtFloor[] = {"hold", "raise", "raise_on_reaching"};
constexpr Words kAccumulation[] = {"scaled", "unscaled"};
constexpr Words kUpdateAt[] = {"window", "micro_batch"};
constexpr Words kNormInput[] = {"unscaled", "scaled"};
constexpr Words kNormAlgorithm[] = {"sum_of_squares", "of_tensor_norms", "rescaled"};
constexpr Words kClipFormula[] = {"quotient", "reciprocal_product", "limit_minimum", "exact"};
constexpr Words kNumber[] = {"<number>"};
constexpr Words kUnneeded[] = {"identity", "multiplies"};
constexpr Words kStep[] = {"separate", "fused", "either"};
constexpr Words kAdamEpsilon[] = {"plain", "hat"};
constexpr Words kAdamBias[] = {"corrected", "kept"};
constexpr Words kAdamWDecay[] = {"times_rate", "alone"};
constexpr Words kCopyRounding[] = {"nearest", "stochastic"};
constexpr Words kSubnormals[] = {"kept", "may_flush"};
constexpr Words kAccumulator[] = {"wide", "parameter"};
constexpr Words kNormFormat[] = {"wide", "gradient"};
constexpr Words kNoneOrNumber[] = {"none", "<number>"};
constexpr Words kFiniteTest[] = {"elements", "norm"};
constexpr Words kSkipScope[] = {"optimizer", "all"};
constexpr Words kScheduleOnSkip[] = {"holds", "advances"};
constexpr Words kBadMicroBatch[] = {"poisons", "dropped"};

// Harmless axes have no strict value: they must be declared. Those that give something away hold
// their strict value until something else is declared.
constexpr PolicyAxis kAxes[] = {
    {"unscale", kUnscale, "",
     "how a scaled gradient x loses the scale S: x/S, or x·RN(1/S) with the reciprocal rounded to "
     "the format named"},
    {"unscale_format", kWideFormat, "",
     "the format in which that product or quotient is rounded, or the gradient's own where that is "
     "wider"},
    {"output_format", kOutput, "",
     "the format in which an unscaled gradient is kept: the gradient's own, or binary32 where that "
     "is wider"},
    {"scale_format", kWideFormat, "", "the format in which the scale is kept"},
    {"factor_format", kWideFormat, "",
     "the format of the growth and back-off factors when they multiply the scale"},
    {"growth_rule", kGrowthRule, "",
     "clean steps before the scale grows: the interval N, N + 1 every time, or N + 1 the first "
     "time (and the first after an overflow) and N afterwards"},
    {"growth_limit", kGrowthLimit, "",
     "where growth would overflow: the scale stays as it is, or becomes the largest finite number"},
    {"accumulation", kAccumulation, "",
     "what is summed over the micro-batches of a window: scaled gradients, or gradients unscaled "
     "one by one"},
    {"update_at", kUpdateAt, "",
     "when the scale is updated: once a window, or at every micro-batch"},
    {"norm_input", kNormInput, "",
     "the norm is that of unscaled gradients, or that of scaled ones times 1/S"},
    {"norm_algorithm", kNormAlgorithm, "",
     "one sum of squares over all tensors, the norm of the tensors' norms, or either with elements "
     "divided by the largest so far, as BLAS has it, or as a chain of hypots"},
    {"clip_formula", kClipFormula, "",
     "the factor of a clip to M with norm N and epsilon e: M/(N+e), (1/(N+e))·M, M·min(1/N, 1/M), "
     "or the exact value rounded once"},
    {"clip_epsilon", kNumber, "", "what is added to the norm"},
    {"unneeded_clip", kUnneeded, "",
     "a gradient below the limit is returned as it is, or multiplied by a factor computed as 1"},
    {"step_arithmetic", kStep, "",
     "products and sums of an optimizer step are rounded each, fused, or in either way"},
    {"adam_epsilon", kAdamEpsilon, "plain",
     "Adam's epsilon is added to √(v/(1 - beta2^t)), or, as epsilon-hat, to √v"},
    {"adam_bias", kAdamBias, "corrected",
     "Adam's moments are divided by 1 - beta^t, or enter as they are"},
    {"adamw_decay", kAdamWDecay, "times_rate",
     "AdamW's decay takes lr·weight_decay·p away, or weight_decay·p"},
    {"copy_rounding", kCopyRounding, "nearest",
     "how a master weight becomes the parameter that is its copy: by RN, or stochastically, the "
     "nearer a neighbour the likelier"},
    {"subnormals", kSubnormals, "kept", "whether subnormal operands and results may become zero"},
    {"accumulator", kAccumulator, "wide",
     "the format of gradient accumulation: binary32 or the parameter's where that is wider, or the "
     "parameter's always"},
    {"norm_format", kNormFormat, "wide",
     "norms are rounded to binary32 or wider, or to the gradient's format: of several, the one "
     "that holds all others, else binary32"},
    {"hysteresis", kHysteresis, "1",
     "which overflow backs off: with 2 the first one only skips its step and restarts the count of "
     "clean steps, and the scale stays; once it is used up every overflow backs off"},
    {"hysteresis_refill", kHysteresisRefill, "growth",
     "what makes hysteresis full again: growth of the scale only, every clean step, or every clean "
     "step and every back-off"},
    {"scale_lag", kScaleLag, "0",
     "updates until a new scale is in force: with 1 `scale` and the next window still have the one "
     "before, while the rule goes on from the new one"},
    {"floor", kNoneOrNumber, "none",
     "back-off takes the scale no lower than this; one that starts below stays as it is or is "
     "lifted to it"},
    {"at_floor", kAtFloor, "hold",
     "an overflow that backs off at the floor: the scale stays, or `update` raises; "
     "raise_on_reaching: it raises in the place of a back-off to the floor or below"},
    {"ceiling", kNoneOrNumber, "none",
     "growth takes the scale no higher than this; one that starts above stays as it is or is "
     "lowered to it"},
    {"finite_test", kFiniteTest, "elements",
     "overflow is looked for in every element, or inferred from the norm"},
    {"skip_scope", kSkipScope, "optimizer",
     "an inf or NaN skips the optimizer that has it, or all of them"},
    {"schedule_on_skip", kScheduleOnSkip, "holds",
     "whether the schedule of learning rates counts a step that is skipped"},
    {"bad_micro_batch", kBadMicroBatch, "poisons",
     "a micro-batch with inf or NaN skips its whole window, or is dropped from sum and divisor"},
};

}  // namespace

std::span<const PolicyAxis> policy_axes() { return kAxes; }

const PolicyAxis* find_policy_axis(std::string_view name) {
  for (const PolicyAxis& axis : kAxes)
    if (axis.name == name) return &axis;
  return nullptr;
}

PolicyValue Policy::at(std::string_view axis) const {
  const auto found = declared.find(std::string(axis));
  if (found != declared.end()) return found->second;
  const PolicyAxis* known = find_policy_axis(axis);
  return {known == nullptr ? std::string() : std::string(known->strict), {}};
}

std::vector<std::string> Policy::missing() const {
  std::vector<std::string> names;
  for (const PolicyAxis& axis : kAxes)
    if (axis.strict.empty() && !declared.contains(std::string(axis.name)))
      names.emplace_back(axis.name);
  return names;
}

}  // namespace ampcheck::subject
