// Is r the number of its format nearest to x·a/b? For normal x, by two multiplications and without
// a quotient.
#pragma once

#include <cstdint>
#include <optional>

#include "reference/fast_rounding.hpp"

namespace ampcheck::reference::fast {

// Asked about x and r of two formats, a/b fixed. Let X and R be their significands as integers of
// p and q bits. The quotient X·A/B has, with A and B chosen so, q or q + 1 bits before its point.
// r is nearest where |X·A/B - R·2^d| < 2^d/2, d the binades by which r lies above the smallest
// quotient: 0 or 1, or more where r is subnormal or in the lowest binade of normal numbers, in
// which no unit is smaller. The smallest number of any other binade, whose neighbours lie at two
// distances, is left open.
class Nearest {
 public:
  enum class Answer { no, yes, unsure };

  // factor/divisor·2^exponent, both significands as in Unrounded. `through` is null, or a format
  // in which the quotient is rounded first; then what lies so close to the middle between two
  // numbers that it may be rounded to it is left open. Nothing where the integers are too long, or
  // where `through` is narrower than the format of r.
  static std::optional<Nearest> make(const Format& x, const Format& r, std::uint64_t factor,
                                     std::uint64_t divisor, int exponent, const Format* through);

  Answer operator()(std::uint64_t x, std::uint64_t r) const {
    const std::uint64_t in = x & x_mask_, out = r & r_mask_;
    const std::uint64_t field = out >> r_bits_, fraction = out & (r_hidden_ - 1);
    const bool is_lowest = field <= 1;  // all of these lie one unit apart
    const std::uint64_t above = (is_lowest ? 1 : field) - (in >> x_bits_) - difference_;
    if (in - x_hidden_ >= x_normals_ || r == r_nan_ || out > r_max_finite_ ||
        (!is_lowest && fraction == 0) || above > (is_lowest ? most_ : 1))
      return Answer::unsure;
    // Twice the distance, and what the half of a unit then is.
    const std::uint64_t quotient = ((in & (x_hidden_ - 1)) | x_hidden_) * a_ * 2,
                        product = ((fraction | (field != 0 ? r_hidden_ : 0)) * b_ * 2) << above;
    const std::uint64_t gap = quotient > product ? quotient - product : product - quotient;
    const std::uint64_t half = b_ << above;
    const std::uint64_t open = half >> more_;  // half a unit of `through`
    if (gap + open >= half) return gap > half + open ? Answer::no : Answer::unsure;
    const bool same_sign = ((x & x_sign_) != 0) == ((r & r_sign_) != 0);
    return same_sign || out == 0 ? Answer::yes : Answer::no;
  }

 private:
  Nearest(const Format& x, const Format& r);

  std::uint64_t x_mask_, x_hidden_, x_normals_, x_sign_;
  std::uint64_t r_mask_, r_hidden_, r_max_finite_, r_sign_;
  std::uint64_t r_nan_;  // where a lone sign bit is NaN, that
  int x_bits_, r_bits_;
  std::uint64_t difference_ = 0, most_ = 1;
  std::uint64_t a_ = 0, b_ = 0;
  int more_ = 63;  // bits of `through` beyond those of r
};

}  // namespace ampcheck::reference::fast
