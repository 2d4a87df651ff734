// The tokens of a window that count, and what they are divided by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/token_normalization.hpp"
#include "subject/case.hpp"

namespace ampcheck::properties {

// The labels that the positions of a micro-batch are to predict: its own, or, under a shift, that
// of the next position of the same row. What has none has the ignore index.
std::vector<std::int64_t> targets_of(const subject::TokenWindow&, const subject::TokenMicroBatch&);

struct CountedToken {
  const subject::TokenMicroBatch* micro_batch;  // of the window
  std::size_t position;
  reference::Rational weight;  // of its target's class

  std::int64_t times() const { return micro_batch->times[position]; }
};
std::vector<CountedToken> counted_tokens(const subject::TokenWindow&);

// Throws std::out_of_range for more than 2^63 - 1 counted tokens.
reference::TokenDivisor divisor_of(const subject::TokenWindow&);

// What the user may be told under one of these scales: 0 or NaN where nothing counts.
reference::Admissible loss_of(const subject::TokenWindow&,
                              const std::vector<reference::Rational>& scales,
                              const reference::Policy&);

}  // namespace ampcheck::properties
