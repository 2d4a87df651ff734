// Adam with settings under which its moments are exact for two clean steps, so that a step count
// that is off by one, or a moment that moved on a skipped step, is told apart with certainty.
#pragma once

#include "properties/generators/case_builder.hpp"

namespace ampcheck::properties {

// lr 2^-3, beta1 7/8, beta2 1 - 2^-10, eps 2^-60, no weight decay: AdamW takes the same steps.
subject::MakeOptimizer exact_adam(const std::string& name,
                                  std::vector<subject::Parameter> parameters,
                                  subject::OptimizerKind kind = subject::OptimizerKind::adam);
// The same of either kind; often with decay, or with an epsilon of the size of the gradients, so
// that their place is seen. Moments stay exact, the update does not.
subject::MakeOptimizer draw_adam(Draw&, const std::string& name,
                                 std::vector<subject::Parameter> parameters);

// Gradients of its clean steps: powers of two, the same in both.
std::vector<std::uint64_t> draw_adam_gradient(Draw&, std::size_t length, const NumberFormat&);

inline constexpr int kExactAdamSteps = 2;

}  // namespace ampcheck::properties
