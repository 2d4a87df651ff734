// The samples of a batch, and micro-batches that hold some of them.
#pragma once

#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {

// The gradient of a sample, or of several: an integer an element of each tensor, nothing where a
// tensor has no part in it.
using IntegerGradient = std::vector<std::vector<std::int64_t>>;

// One to `most` tensors, none longer than 8: a window of samples is played many times over.
std::vector<TensorPlan> draw_short_tensors(Draw&, int most);

// Integers of up to `bits` bits and either sign, none zero, as draw_integers has them. Of `sparse`
// ones about half of the tensors have no part, though never all.
IntegerGradient draw_sample(Draw&, const std::vector<TensorPlan>&, int bits, bool sparse = false);

IntegerGradient sum_of(const std::vector<IntegerGradient>&);

// A gradient times 2^exponent. Parameters that have no part in it get none.
std::vector<subject::Coefficients> coefficients_of(const std::vector<TensorPlan>&,
                                                   const IntegerGradient&, int exponent);

// The smallest e with 2^e at least `count`. Coefficients that are raised by so many binades stay
// where their window has them once their loss is divided by `count`.
int log2_above(std::int64_t count);

// The numbers below `count` in any order, cut into any number of parts, none empty.
std::vector<std::vector<std::size_t>> draw_partition(Draw&, std::size_t count);

}  // namespace ampcheck::properties
