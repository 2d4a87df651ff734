// The designed cases, a group of axes each. All are fixed: only numbers that are read off the
// answers, and what was found before, enter.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "properties/generators/case_builder.hpp"
#include "properties/identify/experiment.hpp"

namespace ampcheck::properties::identify {

// ---- what skips: accumulation, accumulator, bad_micro_batch, finite_test, skip_scope
std::vector<Experiment> skip_experiments();

// ---- the scale

// How a window is made to overflow.
enum class Overflows {
  by_infinity,  // an inf among its gradients
  by_sum,  // micro-batches that are finite one by one, for subjects that drop those that are not
};

// A case of one window a letter: 'c' is clean, 'o' overflows. The scale is looked at after each,
// and by the seed of the next.
subject::Case schedule_case(const ScalerPlan&, std::string_view windows, Overflows);

// growth_rule, hysteresis, hysteresis_refill, scale_lag: everything happens between the highest
// floor and the lowest ceiling that a policy may have.
std::vector<Experiment> schedule_experiments(Overflows);
// scale_format, factor_format.
std::vector<Experiment> factor_experiments(Overflows);

// Inside of a window, of gradients that are unscaled one by one: update_at.
std::vector<Experiment> update_experiments();

// ---- unscaling: unscale, unscale_format, output_format, subnormals

// With `is_narrow` gradients are kept in the parameter's format.
std::vector<Experiment> unscale_experiments(bool is_narrow);

// ---- clipping: norm_input, norm_algorithm, norm_format, clip_formula, unneeded_clip
std::vector<Experiment> clip_experiments(bool is_narrow);
// A norm so small that what is added to it is nearly all of the sum: clip_epsilon.
Experiment epsilon_experiment();

// ---- steps: step_arithmetic, adam_epsilon, adam_bias, adamw_decay
std::vector<Experiment> step_experiments();

// ---- schedules of learning rates: schedule_on_skip
std::vector<Experiment> rate_experiments(Overflows);

// ---- copies of master weights: copy_rounding
std::vector<Experiment> copy_experiments();

// The optimizer's names for forms, in the order of subject::kOptimizerForms.
inline constexpr subject::OptimizerForm kForms[] = {
    subject::OptimizerForm::loop, subject::OptimizerForm::foreach, subject::OptimizerForm::fused};
std::string_view name_of(subject::OptimizerForm);

// Normal numbers with all their bits drawn, the same for the same name.
std::vector<std::uint64_t> irregular(std::string_view name, std::size_t size, int low, int high,
                                     const NumberFormat&);

}  // namespace ampcheck::properties::identify
