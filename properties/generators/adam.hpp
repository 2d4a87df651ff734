// Adam with settings under which its moments are exact for two clean steps, so that a step count
// that is off by one, or a moment that moved on a skipped step, is told apart with certainty; and
// with the settings that people use, which are judged by sets.
#pragma once

#include "properties/generators/case_builder.hpp"

namespace ampcheck::properties {

// lr 2^-3, beta1 7/8, beta2 1 - 2^-10, eps 2^-60, no weight decay: AdamW takes the same steps.
subject::MakeOptimizer exact_adam(const std::string& name,
                                  std::vector<subject::Parameter> parameters,
                                  subject::OptimizerKind kind = subject::OptimizerKind::adam);
// Adam or AdamW, one in three with decimal settings (lr 0.1, beta1 0.9, beta2 0.999, eps 1e-8), and
// often with decay, or with an epsilon of the size of the gradients, so that their place is seen.
subject::MakeOptimizer draw_adam(Draw&, const std::string& name,
                                 std::vector<subject::Parameter> parameters);

// Gradients of its clean steps: powers of two. Moments stay exact where the first two have the
// same.
std::vector<std::uint64_t> draw_adam_gradient(Draw&, std::size_t length, const NumberFormat&);

// Clean steps of a case: as many as are exact, or more, for what shows only later.
std::int64_t draw_adam_steps(Draw&);

}  // namespace ampcheck::properties
