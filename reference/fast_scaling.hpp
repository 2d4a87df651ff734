// Rule 1 judged at the speed of a sweep: is this pattern among those that scaling.hpp allows?
//
// A judge is made once for a scale, the formats and a policy, and asked about many patterns. It
// handles x and output formats of at most 32 bits with a NaN, scales of any format up to binary64,
// and unscaling in a format with infinity; everything else (flushing, binary64 gradients) is left
// to the exact path: make() gives nothing.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "reference/fast_nearest.hpp"
#include "reference/fast_rounding.hpp"
#include "reference/policy.hpp"

namespace ampcheck::reference::fast {

// At most this many ways to unscale one number: once by x/S itself, twice by division, six times by
// a reciprocal.
inline constexpr int kMostPatterns = 10;

// A list of canonical patterns (Format::canonical), each once, in no order.
struct Patterns {
  std::array<std::uint64_t, kMostPatterns> bits{};
  int count = 0;

  bool contains(std::uint64_t canonical) const {
    for (int i = 0; i < count; ++i)
      if (bits[i] == canonical) return true;
    return false;
  }
  void add(std::uint64_t canonical) {
    if (!contains(canonical)) bits[count++] = canonical;
  }
};

// Judges unscaled() of scaling.hpp.
class Unscaling {
 public:
  // The scale is finite and positive. Nothing where the exact path must answer.
  static std::optional<Unscaling> make(const NumberFormat& x, const Number& scale,
                                       const NumberFormat& output, const Policy& policy);

  // True where unscaled() of this x holds this result. Both fit into their formats.
  bool admits(std::uint64_t x, std::uint64_t result) const {
    bool unsure = nearest_.empty();
    for (const Nearest& nearest : nearest_) {
      const Nearest::Answer answer = nearest(x, result);
      if (answer == Nearest::Answer::yes) return true;
      unsure |= answer == Nearest::Answer::unsure;
    }
    return unsure && admits_slowly(x, result);
  }

  // All of that set.
  Patterns patterns(std::uint64_t x) const;

 private:
  bool admits_slowly(std::uint64_t x, std::uint64_t result) const {
    const std::uint64_t magnitude = x & x_.magnitude_mask;
    const std::uint64_t wanted = output_.canonical(result);
    if (magnitude - 1 >= x_.max_finite || x == not_a_number_) [[unlikely]]
      return special(x).contains(wanted);
    const Unrounded value = decode(x, x_);
    for (int i = 0; i < count_; ++i) {
      const Way& way = ways_[i];
      const Unrounded exact = scaled(value, way);
      if (once(exact) == wanted && (way.once || rounds_alike(exact))) return true;
      if (way.twice && !rounds_alike(exact) && twice(exact) == wanted) return true;
    }
    return overflows_ && wanted == overflowed(value.negative);
  }

  // x·factor, or x/divisor with ⌊(2^126 - 1)/divisor⌋ as factor; RN_G of it, RN_G(RN_W) or both.
  struct Way {
    std::uint64_t factor = 0;
    std::uint64_t divisor = 0;  // 0: a product
    int exponent = 0;           // of the factor, or less that of the divisor
    bool once = false, twice = false;

    bool has_value_of(const Way& other) const {
      return factor == other.factor && divisor == other.divisor && exponent == other.exponent;
    }
  };

  Unscaling(const NumberFormat& x, const NumberFormat& output, const NumberFormat& w)
      : x_(x), output_(output), w_(w), w_max_exponent_(w.max_exponent()) {}

  std::span<const Way> ways() const { return std::span(ways_).first(count_); }
  void add(const Way& way);
  void add_quotient(const Unrounded& scale, bool through_w);
  void add_reciprocal(std::uint64_t bits, const Format& v);
  // Of zero, inf and NaN.
  Patterns special(std::uint64_t x) const;

  // Canonical.
  std::uint64_t overflowed(bool negative) const {
    return output_.canonical(output_.beyond | (negative ? output_.sign_bit : 0));
  }

  Unrounded scaled(const Unrounded& x, const Way& way) const {
    std::uint64_t significand;
    int exponent = x.exponent + way.exponent;
    if (way.divisor == 0) {
      const Uint128 product = Uint128{x.significand} * way.factor;  // below 2^126
      significand = static_cast<std::uint64_t>(product >> 62);
      significand |= static_cast<std::uint64_t>(product) << 2 != 0 ? 1 : 0;
    } else {
      // x·2^63/divisor lies less than one above x·factor/2^63, whose integer part is therefore the
      // quotient or one less; the remainder tells.
      significand = static_cast<std::uint64_t>((Uint128{x.significand} * way.factor) >> 63);
      std::uint64_t rest = (x.significand << 63) - significand * way.divisor;
      const bool one_more = rest >= way.divisor;
      rest -= one_more ? way.divisor : 0;
      significand += one_more ? 1 : 0;
      significand |= rest != 0 ? 1 : 0;
      --exponent;
    }
    const auto carry = static_cast<int>(significand >> 63);
    significand = significand >> carry | (significand & static_cast<std::uint64_t>(carry));
    return {significand, exponent + carry, x.negative};
  }
  // False where RN_G(RN_W(x)) may differ from RN_G(x): where W has no normal number like x, or
  // where a point half way between two numbers of G lies so close that x may be rounded to it.
  bool rounds_alike(const Unrounded& exact) const {
    if (exact.exponent < w_.min_exponent || exact.exponent >= w_max_exponent_) return false;
    const int dropped = output_.dropped + std::max(output_.min_exponent - exact.exponent, 0);
    if (dropped > 63) return true;  // zero
    const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
    const std::uint64_t rest = exact.significand & (2 * half - 1);
    const std::uint64_t last_place = std::uint64_t{1} << w_.dropped;
    return rest - half + last_place > 2 * last_place;  // the left side wraps around below zero
  }
  // Canonical.
  std::uint64_t once(const Unrounded& exact) const {
    const std::uint64_t magnitude = rounded_magnitude(exact.significand, exact.exponent, output_);
    if (magnitude > output_.max_finite) [[unlikely]]
      return overflowed(exact.negative);
    return magnitude | (exact.negative && magnitude != 0 ? output_.sign_bit : 0);
  }
  std::uint64_t twice(Unrounded exact) const {
    if (!round_in_place(exact.significand, exact.exponent, w_)) return overflowed(exact.negative);
    return once(exact);
  }

  Format x_, output_, w_;
  int w_max_exponent_;
  std::uint64_t not_a_number_ = 0;  // where a lone sign bit is NaN, that
  std::array<Way, kMostPatterns> ways_{};
  std::vector<Nearest> nearest_;  // the same, or none where one of them is too long
  int count_ = 0;
  bool overflows_ = false;  // a reciprocal is infinite
};

// Judges delivered() of scaling.hpp, without flushing.
class Delivery {
 public:
  // The cotangent is of any supported format.
  static std::optional<Delivery> make(const Number& cotangent, const NumberFormat& coefficient,
                                      const NumberFormat& f, const Policy& policy);

  bool admits(std::uint64_t coefficient, std::uint64_t result) const {
    return pattern(coefficient) == f_.canonical(result);
  }
  // The only one there is; canonical.
  std::uint64_t pattern(std::uint64_t coefficient) const {
    const std::uint64_t magnitude = coefficient & coefficient_.magnitude_mask;
    if (!finite_ || magnitude > coefficient_.max_finite || coefficient == not_a_number_)
        [[unlikely]]
      return special(coefficient);
    return f_.canonical(rounded(product(decode(coefficient, coefficient_), cotangent_), f_));
  }

 private:
  Delivery(const NumberFormat& coefficient, const NumberFormat& f)
      : coefficient_(coefficient), f_(f) {}

  // Where one of the factors is inf or NaN.
  std::uint64_t special(std::uint64_t coefficient) const;

  Format coefficient_, f_;
  Unrounded cotangent_;
  std::uint64_t not_a_number_ = 0;
  bool finite_ = true, nan_ = false;  // the cotangent
};

}  // namespace ampcheck::reference::fast
