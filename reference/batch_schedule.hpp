// Recipes that tie the length of a window, the learning rate and the weight decay to the size of a
// batch.
//
// A recipe has a nominal batch: as many examples as one optimizer step is meant to see. A machine
// that holds fewer accumulates over several micro-batches (Ultralytics YOLO: nominal 64).
#pragma once

#include <cstdint>
#include <vector>

#include "reference/rational.hpp"

namespace ampcheck::reference {

// Micro-batches of `batch` examples in a window: nominal/batch rounded half to even, at least 1.
// Throws std::invalid_argument unless both are from 1 to 2^53; so do all functions here, and for
// other counts that are not positive.
std::int64_t micro_batches(std::int64_t nominal, std::int64_t batch);

// The same at micro-batch `index`, counted from 0, of a warm-up of `warm_up` micro-batches: the
// ramp from 1 at index 0 to nominal/batch at index warm_up, rounded in the same way.
std::int64_t micro_batches_in_warm_up(std::int64_t index, std::int64_t warm_up,
                                      std::int64_t nominal, std::int64_t batch);

// The micro-batches after which the optimizer steps: the window ends as soon as it holds as many as
// are asked for at that micro-batch, and with the last of an epoch. `asked[i]` is positive. Every
// micro-batch belongs to exactly one window.
std::vector<std::int64_t> window_ends(const std::vector<std::int64_t>& asked,
                                      std::int64_t micro_batches_in_epoch);

// decay·batch·micro_batches/nominal: less decay a step where a step sees fewer examples.
Rational scaled_weight_decay(const Rational& decay, std::int64_t nominal, std::int64_t batch);

// The linear scaling rule: rate·batch/base_batch (Goyal et al., "Accurate, large minibatch SGD:
// training ImageNet in 1 hour", 2017, section 2.1), and the gradual warm-up to it from `rate`
// (section 2.2) over `warm_up` steps.
Rational scaled_rate(const Rational& rate, std::int64_t base_batch, std::int64_t batch);
Rational scaled_rate_in_warm_up(std::int64_t step, std::int64_t warm_up, const Rational& rate,
                                std::int64_t base_batch, std::int64_t batch);

}  // namespace ampcheck::reference
