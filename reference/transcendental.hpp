// exp and log of rationals, computed as far as a comparison needs.
//
// Comparison is Ziv's loop: an interval that holds the number, from two evaluations with directed
// rounding, of twice the precision each time until the rational lies outside of it. (A. Ziv, "Fast
// evaluation of elementary mathematical functions with correctly rounded last bit", ACM TOMS 17(3),
// 1991.) It cannot run for ever, since the number is never the rational: exp(q) for a rational
// q != 0, and log(q) for a rational q > 0 other than 1, are transcendental (Lindemann 1882; Hermite
// 1873 had exp of rationals). exp(0) and log(1) are kept as the rationals they are.
#pragma once

#include <memory>

#include "reference/real.hpp"

namespace ampcheck::reference {

class Transcendental final : public Real {
 public:
  // The most bits that are ever computed; a comparison that needs more throws PrecisionExceeded.
  //
  // What needs most is a small x: exp(x) and log(1+x) differ from 1+x and x by about x²/2, so that
  // about -2·log2|x| bits tell them from a number there. For products of two numbers of binary64
  // that is 4·1074 bits, which leaves a factor of 15; correct rounding of binary64 needs less than
  // 160 bits elsewhere (Lefèvre and Muller, "Worst cases for correct rounding of the elementary
  // functions in double precision", ARITH 2001). One evaluation takes some milliseconds at this
  // precision.
  static constexpr int kMaxPrecision = 1 << 16;

  static Transcendental exp(const Rational& q);
  // Throws std::domain_error for q <= 0.
  static Transcendental log(const Rational& q);

  Transcendental(Transcendental&&) noexcept;
  Transcendental& operator=(Transcendental&&) noexcept;
  ~Transcendental() override;

  // Keeps what it has computed for the next comparison, so that one object is for one thread.
  std::strong_ordering compare(const Rational& r) const override;
  std::string to_string() const override;

  // Bits of the interval that decided the last comparison; 0 for a rational.
  int precision() const;

 private:
  struct Interval;
  explicit Transcendental(std::unique_ptr<Interval>);

  std::unique_ptr<Interval> interval_;
};

}  // namespace ampcheck::reference
