#include "properties/counted_tokens.hpp"

namespace ampcheck::properties {

using namespace subject;
using reference::Rational;

std::vector<std::int64_t> targets_of(const TokenWindow& window,
                                     const TokenMicroBatch& micro_batch) {
  if (window.shift == 0) return micro_batch.labels;
  std::vector<std::int64_t> targets(micro_batch.labels.size(), window.ignore_index);
  const std::size_t length = targets.size() / static_cast<std::size_t>(micro_batch.rows);
  for (std::size_t start = 0; start < targets.size(); start += length)
    for (std::size_t t = start; t + 1 < start + length; ++t) targets[t] = micro_batch.labels[t + 1];
  return targets;
}

std::vector<CountedToken> counted_tokens(const TokenWindow& window) {
  const Tensor& weights = window.class_weights;
  std::vector<CountedToken> counted;
  for (const auto& rank : window.ranks)
    for (const TokenMicroBatch& micro_batch : rank) {
      const std::vector<std::int64_t> targets = targets_of(window, micro_batch);
      for (std::size_t t = 0; t < targets.size(); ++t)
        if (targets[t] != window.ignore_index)
          counted.push_back(
              {&micro_batch, t,
               weights.format == nullptr
                   ? Rational(1)
                   : reference::value_of(weights.bits.at(static_cast<std::size_t>(targets[t])),
                                         *weights.format)});
    }
  return counted;
}

reference::TokenDivisor divisor_of(const TokenWindow& window) {
  std::vector<reference::Token> tokens;
  std::vector<reference::TokenTerm> weighted;
  for (const CountedToken& token : counted_tokens(window)) {
    tokens.push_back({0, token.times()});
    weighted.push_back({{}, token.times(), token.weight});
  }
  const std::int64_t count = reference::counted_tokens(tokens, -1);
  if (window.class_weights.format == nullptr) return count;
  return {weighted, reference::binary32};
}

reference::Admissible loss_of(const TokenWindow& window, const std::vector<Rational>& scales,
                              const reference::Policy& policy) {
  std::vector<reference::TokenTerm> losses;
  for (const CountedToken& token : counted_tokens(window)) {
    const Tensor& loss = token.micro_batch->losses;
    losses.push_back({{loss.format, loss.bits[token.position]}, token.times(), token.weight});
  }
  return reference::token_loss(losses, divisor_of(window), std::ssize(window.ranks), scales,
                               policy);
}

}  // namespace ampcheck::properties
