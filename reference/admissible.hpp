// What an output may be: the set of patterns that a rule, the formats and the declared arithmetic
// allow.
//
// A set is a list of patterns or an interval of one format, and may besides hold NaN (of any
// payload). The two zeros count as one value everywhere: which of them a sum or a flushed product
// gives is no business of the five rules.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "reference/rounding.hpp"

namespace ampcheck::reference {

class Admissible {
 public:
  // The empty set; it holds nothing until something is added.
  explicit Admissible(const NumberFormat& format) : format_(&format) {}
  static Admissible of(const NumberFormat& format, std::uint64_t bits);
  static Admissible of(const Number& number) { return of(*number.format, number.bits); }
  // All numbers from one to the other in the order of their values, in either order. No NaN.
  static Admissible between(const NumberFormat& format, std::uint64_t a, std::uint64_t b);
  // What the exact values from low to high round to. Where the format has no infinity, NaN stands
  // for what is beyond its range, and the largest finite number where it has no NaN either.
  static Admissible enclosing(const NumberFormat& format, const Rational& low,
                              const Rational& high);
  // Throws NotRepresentable where the format has no NaN.
  static Admissible nan(const NumberFormat& format);
  // Every pattern: where a rule says nothing.
  static Admissible anything(const NumberFormat& format);

  const NumberFormat& format() const { return *format_; }

  // Unions. Adding a pattern to an interval, or the other way round, gives the hull of both.
  void add(std::uint64_t bits);
  void add(const Admissible& other);
  // Every infinity and every NaN, without what lies between.
  void add_non_finite();

  // x rounded at once, and by way of another format.
  void add_rounded(const Exact& x, const NumberFormat& by_way_of);

  bool contains(std::uint64_t bits) const;
  bool empty() const { return keys_.empty() && !nan_ && !infinities_; }
  // One value, the two zeros being one.
  bool is_single() const;
  // The single pattern, +0 for zero.
  std::uint64_t single() const;
  bool is_interval() const { return interval_; }

  bool may_be_finite() const;
  bool may_be_non_finite() const;

  // The ends, as patterns. Require has_ends().
  bool has_ends() const { return !keys_.empty(); }
  std::uint64_t lowest() const;
  std::uint64_t highest() const;

  // The patterns of a list, or the two ends of an interval; without NaN.
  std::vector<std::uint64_t> patterns() const;

  // The set of f(x), f mapping a pattern of this format to a set of `to`. Over an interval f must
  // be monotone (either way), and the hull of its values at the ends is taken. NaN gives NaN, and
  // infinities beside the numbers give infinities where `to` has them.
  template <typename Function>
  Admissible map(const NumberFormat& to, Function f) const {
    Admissible result(to);
    if (nan_) result.add(nan(to));
    if (infinities_ && to.has_infinity())
      result.infinities_ = true;
    else if (infinities_)
      for (const std::uint64_t sign : {std::uint64_t{0}, format_->sign_bit()})
        result.add(f(format_->infinity() | sign));
    if (interval_) {
      Admissible ends = f(lowest());
      ends.add(f(highest()));
      result.add(ends.hull());
    } else {
      for (const std::int64_t key : keys_) result.add(f(pattern(key)));
    }
    return result;
  }
  // The same in another format, each number rounded to it (convert of rounding.hpp).
  Admissible converted(const NumberFormat& to) const {
    return map(to, [&](std::uint64_t bits) { return of(to, convert({format_, bits}, to)); });
  }
  // The interval from lowest to highest, where there is more than one pattern.
  Admissible hull() const;

  // Where a pattern of the set lies, counted in patterns: 0 at the lowest end, 1 at the highest;
  // 1/2 where there are no two ends.
  Rational position(std::uint64_t bits) const;

  // "{3c00 = 0x1p+0, 3c01 = 0x1.004p+0}", "[3c00 = 0x1p+0 … 4000 = 0x1p+1] or NaN".
  std::string to_string() const;

 private:
  // Numbers in the order of their values: the magnitude with the sign of the number. inf is above
  // the largest finite number, and both zeros are 0.
  std::int64_t key(std::uint64_t bits) const;
  std::uint64_t pattern(std::int64_t key) const;

  const NumberFormat* format_;
  std::vector<std::int64_t> keys_;  // sorted; the two ends of an interval
  bool interval_ = false;
  bool nan_ = false;         // NaN of any payload
  bool infinities_ = false;  // both, beside keys_
};

// What stochastic rounding may give: x itself where it is a number of the format, else its two
// neighbours, whatever their chances. (Croci, Fasi, Higham, Mary, Mikaitis, "Stochastic rounding:
// implementation, error analysis and applications", Royal Society Open Science 9, 2022.) At the
// ends of the range:
// - Between zero and the smallest number both are neighbours.
// - The number that would follow the largest finite one is, for what lies between them, what
//   `overflow` makes of it: infinity, NaN, or the largest number once more. So is everything from
//   there on, which has no finite neighbour.
Admissible stochastically_rounded(const Exact& x, const NumberFormat& format,
                                  Overflow overflow = Overflow::standard);
Admissible stochastically_rounded(const Real& x, const NumberFormat& format,
                                  Overflow overflow = Overflow::standard);

}  // namespace ampcheck::reference
