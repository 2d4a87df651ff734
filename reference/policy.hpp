// The choices in which correct implementations differ, as far as they change an admissible set.
// subject/policy.cpp has a sentence for each.
#pragma once

#include <optional>

#include "reference/number_format.hpp"
#include "reference/rational.hpp"

namespace ampcheck::reference {

enum class UnscaleArithmetic { division, reciprocal_binary32, reciprocal_binary64, either };
enum class GrowthRule { n, n_plus_one, n_plus_one_once };
enum class GrowthLimit { refuse, clamp };
enum class HysteresisRefill { growth, clean_step, clean_step_and_back_off };
enum class AtFloor { hold, raise, raise_on_reaching };
enum class ClipFormula { quotient, reciprocal_product, limit_minimum, exact };
enum class StepArithmetic { separate, fused, either };
enum class AdamEpsilon { plain, hat };                 // beside √(v/(1-beta2^t)), or beside √v
enum class AdamWDecay { times_rate, alone };           // p·lr·lambda, or p·lambda
enum class CopyRounding { nearest_even, stochastic };  // of a master weight to its copy

struct Policy {
  UnscaleArithmetic unscale = UnscaleArithmetic::division;
  const NumberFormat* unscale_format = &binary32;  // at least the gradient's own format
  bool output_is_gradient_format = true;           // else binary32 where that is wider
  const NumberFormat* scale_format = &binary32;
  const NumberFormat* factor_format = &binary64;
  GrowthRule growth_rule = GrowthRule::n;
  GrowthLimit growth_limit = GrowthLimit::refuse;
  int hysteresis = 1;  // the overflow that backs off, counted from where hysteresis is full
  HysteresisRefill hysteresis_refill = HysteresisRefill::growth;
  bool scale_lags = false;  // an updated scale is in force one update later
  std::optional<Rational> floor, ceiling;
  AtFloor at_floor = AtFloor::hold;

  bool accumulates_unscaled = false;
  bool update_at_micro_batch = false;
  bool narrow_accumulator = false;  // in the parameter's format, else binary32 or wider
  bool drops_bad_micro_batches = false;

  bool norm_of_scaled = false;
  bool norm_of_tensor_norms = false;
  bool norm_is_rescaled = false;  // squares of elements over the largest, or hypots
  bool narrow_norm = false;       // rounded to the gradient's format, else binary32 or wider
  ClipFormula clip_formula = ClipFormula::quotient;
  Rational clip_epsilon;
  bool unneeded_clip_multiplies = true;

  StepArithmetic step_arithmetic = StepArithmetic::separate;
  AdamEpsilon adam_epsilon = AdamEpsilon::plain;
  bool adam_corrects_bias = true;
  AdamWDecay adamw_decay = AdamWDecay::times_rate;
  CopyRounding copy_rounding = CopyRounding::nearest_even;
  bool may_flush = false;  // subnormal operands and results may be zero
  bool finite_test_is_norm = false;
  bool skips_all = false;
  bool schedule_advances_on_skip = false;  // of learning rates
};

// The wider of two formats: the one with more significand bits, the first where they are equal.
constexpr const NumberFormat& wider(const NumberFormat& a, const NumberFormat& b) {
  return b.precision() > a.precision() ? b : a;
}

// u = 2^-p, half the distance from 1 to the next number.
inline Rational unit_roundoff(const NumberFormat& f) {
  return Rational::power_of_two(-f.precision());
}

}  // namespace ampcheck::reference
