// Softmax cross-entropy of one row of logits: the loss that the gradients of a language model or a
// classifier come from.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference/admissible.hpp"
#include "reference/policy.hpp"

namespace ampcheck::reference {

class EmptyRow : public std::invalid_argument {
 public:
  EmptyRow() : std::invalid_argument("a row without logits has no softmax") {}
};

class LabelOutsideRow : public std::invalid_argument {
 public:
  LabelOutsideRow(std::size_t label, std::size_t size)
      : std::invalid_argument("label " + std::to_string(label) + " of a row of " +
                              std::to_string(size)) {}
};

// What a subject declares of its arithmetic.
struct SoftmaxArithmetic {
  const NumberFormat* format = &binary32;  // of every operation; logits are converted to it first
  // Largest errors of its exp and log in units in the last place of the exact result (the smallest
  // subnormal number where that is subnormal). At least 1/2, which is correct rounding; else
  // std::invalid_argument. exp(0) = 1 and log(1) = 0 are exact, as IEEE 754-2019, 9.2.1, has it.
  Rational exp_error = 1, log_error = 1;
  bool may_flush = false;  // subnormal operands and results may be zero
};

// The loss -log softmax(x)[label], x the logits in the arithmetic's format, and its gradients
// (softmax(x) - onehot(label))·scale.
//
// Covered are the forms that subtract the maximum m, with sums in any order (accumulation.hpp), all
// else rounded to nearest in the format, each operation once:
//   d_i = x_i - m, e_i = exp(d_i), s = Σ e_i, l = log(s);
//   loss      l - d_label, or (m + l) - x_label;
//   softmax   p_i = e_i/s, e_i·(1/s), exp(d_i - l) or exp(x_i - (m + l));
//   gradient  p_i·scale; for the label (p - 1)·scale, p·scale - scale, or the latter fused.
// and besides the exact value, rounded once. Not covered: exp2 of logits times log2(e), running
// maxima with rescaled sums (online softmax), and -log(softmax(x)), which is inf where the
// probability underflows.
//
// The sets are enclosures: every step maps an interval that holds what the steps before may have
// given, by the ends of a monotone operation, exp and log by bounds of MPFR widened by the declared
// error. e_i and s are taken as independent.
//
// A logit of -inf has probability 0, and is a loss of inf where it is the label's. NaN among the
// logits, inf among them, or nothing but -inf gives NaN, since inf - inf does. A difference that
// overflows is -inf, of probability 0. A scale of inf or NaN gives inf or NaN.
Admissible cross_entropy_loss(std::span<const Number> logits, std::size_t label,
                              const SoftmaxArithmetic& arithmetic = {});
std::vector<Admissible> cross_entropy_gradient(std::span<const Number> logits, std::size_t label,
                                               const Number& scale,
                                               const SoftmaxArithmetic& arithmetic = {});

}  // namespace ampcheck::reference
