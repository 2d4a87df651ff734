// Rule 3, accumulation: the micro-batch gradients of a window are summed, and nothing else.
#pragma once

#include <vector>

#include "reference/admissible.hpp"
#include "reference/policy.hpp"

namespace ampcheck::reference {

// The format in which gradients of a parameter accumulate under the policy.
inline const NumberFormat& accumulator_format(const NumberFormat& parameter, const Policy& policy) {
  return policy.narrow_accumulator ? parameter : wider(parameter, binary32);
}

// One element of an accumulator: the terms that were added in a window, in any order and
// association, each addition rounded to nearest in the accumulator's format.
//
// Let s be the exact sum, a the sum of magnitudes, n the number of terms, u the unit roundoff.
// Every order gives one pattern where all terms are multiples of 2^e and a <= 2^p·2^e: no addition
// rounds then. Otherwise |computed - s| <= min((n-1)·u, (1+u/(1+u))^(n-1) - 1)·a (Jeannerod & Rump
// 2013, any order, no condition on n; additions are exact in the subnormal range), in as far as no
// order overflows: max(P, M)·(1+(n-1)u) below the overflow threshold, P and M the sums of the
// positive and of the negative magnitudes. Beyond that inf and NaN join the set. (The bound on the
// larger of P and M holds for every n: rounding is monotone, so no partial sum exceeds what its
// positive terms alone would have given.)
//
// With flushing a term or a partial sum below the smallest normal number may become zero. Such an
// event leaves at least one term without any influence that still had some, so there are at most n,
// and what is lost grows with the roundings that follow: n·2^emin·(1+v)^(n-1) more at most.
class Sum {
 public:
  explicit Sum(const NumberFormat& accumulator) : format_(&accumulator) {}

  const NumberFormat& format() const { return *format_; }
  // A term of any format. Where it is narrower than the accumulator it is widened exactly, else
  // rounded.
  void add(const Admissible& term);
  std::size_t terms() const { return count_; }

  Admissible result(const Policy& policy) const;

 private:
  const NumberFormat* format_;
  std::size_t count_ = 0;
  Rational low_, high_;           // bounds of the exact sum
  Rational positive_, negative_;  // bounds of P and M
  bool has_quantum_ = false;
  int quantum_ = 0;          // every finite term is a multiple of 2^quantum_
  bool exact_terms_ = true;  // every term is known exactly
  bool subnormal_ = false;   // some term is subnormal
  // Terms that are inf or NaN, those of which it is not known which, and those that may also be
  // finite.
  bool plus_infinity_ = false, minus_infinity_ = false, nan_ = false, non_finite_ = false;
  bool may_be_non_finite_ = false;
};

}  // namespace ampcheck::reference
