// Rule 3's sums judged without rationals: the set that Sum of accumulation.hpp gives, for terms
// that are known.
#pragma once

#include <optional>

#include "reference/fast_error_bounds.hpp"
#include "reference/policy.hpp"

namespace ampcheck::reference::fast {

class Sum {
 public:
  // Accumulators of at most 32 bits that have a sign, a zero and NaN. Throws std::invalid_argument
  // for another.
  explicit Sum(const NumberFormat& accumulator);

  const Format& format() const { return format_; }
  // A pattern of a supported format, rounded to the accumulator's where that is narrower.
  void add(std::uint64_t bits, const Format& f);

  // Nothing where the exact path must answer: flushing, or terms further apart than the integers
  // here are long.
  std::optional<Range> result(const Policy& policy) const;

 private:
  // Whether larger·2^unit, the magnitudes of one sign, may overflow on the way when it is off by
  // `bound` of itself. Nothing where the product is too long.
  std::optional<bool> may_overflow(Uint128 larger, int unit, const Fraction& bound) const;

  Format format_;
  std::int64_t non_zero_ = 0;    // finite terms that are not zero
  Aligned positive_, negative_;  // magnitudes
  bool plus_infinity_ = false, minus_infinity_ = false, nan_ = false;
};

}  // namespace ampcheck::reference::fast
