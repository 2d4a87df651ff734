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

// How a product enters the sum that it is a term of.
enum class Products {
  rounded,  // to the accumulator's format, then added: two operations
  exact,    // unrounded, as in units that round sums of exact products; two products may be added
            // to one another
  any,      // each in one way or the other, as a compiler contracts to fused multiply-adds
};

// One element of an accumulator: the terms that were added in a window, in any order and
// association, each addition rounded to nearest in the accumulator's format (any rule for ties).
//
// Let s be the exact sum, a the sum of magnitudes, n the number of terms that are not zero. The set
// is what s ± E rounds to, which is one pattern where E = 0 and all terms are known:
// - n <= 2: there is one addition, and E = 0.
// - All terms are multiples of 2^e, 2^e is a number of the format and a <= 2^p·2^e: no addition
//   rounds in any order, and E = 0.
// - All terms are floats of the format: E = summation_bound(n)·a.
// - Some are not, as products that are added without a rounding of their own: E = growth_bound(n-1)
//   ·a, since each term takes part in at most n-1 additions, besides eta/2, and what the additions
//   after it make of that, for each term that is no multiple of eta: the one addition in which it
//   is not yet a float may be rounded below the smallest normal number.
//
// Overflow: with P and M the sums of the positive and of the negative magnitudes, no number that is
// rounded on the way exceeds max(P, M)·(1+r), r the error bound of n-1 terms: rounding is monotone,
// so that no partial sum exceeds what its positive terms alone would have given. From the overflow
// threshold on the infinity joins the set, and NaN where both signs do.
//
// Flushing: any operand and result below the smallest normal number may become zero. A subtree that
// is flushed leaves the sum of the remaining terms, to which the bound above applies, and takes its
// own terms away, which come to less than 2^emin and their own share of the same bound. So the sum
// differs from s by E and what was flushed, no more. Each such event takes at least one term out
// that was still in: at most n events, which lower the sum by at most P and raise it by at most M,
// taken at the ends of the terms that are nearest to zero: there a term that may itself be zero, as
// one that was flushed before it was added, adds nothing. Where no terms cancel only the terms that
// are subnormal themselves can be lost.
class Sum {
 public:
  explicit Sum(const NumberFormat& accumulator) : format_(&accumulator) {}

  const NumberFormat& format() const { return *format_; }
  // A term of any format. Where it is narrower than the accumulator it is widened exactly, else
  // rounded, before it is added.
  void add(const Admissible& term);
  // A product that lies between two exact values, both of one sign.
  void add_product(const Rational& low, const Rational& high, Products products);
  std::size_t terms() const { return count_; }

  Admissible result(const Policy& policy) const;

 private:
  void add_between(const Rational& low, const Rational& high, int trailing);
  bool no_addition_rounds() const;
  void flush(Admissible& result, const Rational& low, const Rational& high) const;

  const NumberFormat* format_;
  std::size_t count_ = 0;
  std::size_t non_zero_ = 0;      // finite terms that may be other than zero
  Rational low_, high_;           // bounds of the exact sum
  Rational positive_, negative_;  // bounds of P and M
  bool has_quantum_ = false;
  int quantum_ = 0;                // every finite term is a multiple of 2^quantum_
  std::size_t unrounded_ = 0;      // terms that need not be floats of the format
  std::size_t below_quantum_ = 0;  // those of them that need not be multiples of eta
  std::size_t subnormal_ = 0;      // terms that may be subnormal
  Rational subnormals_;            // bound of the sum of their magnitudes
  // Terms that are inf or NaN, those of which it is not known which, and those that may also be
  // finite.
  bool plus_infinity_ = false, minus_infinity_ = false, nan_ = false, non_finite_ = false;
  bool may_be_non_finite_ = false;
};

}  // namespace ampcheck::reference
