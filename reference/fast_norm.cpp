#include "reference/fast_norm.hpp"

#include "reference/fast_error_bounds.hpp"

namespace ampcheck::reference::fast {
namespace {

// Sums that are longer than this are cut before they are multiplied by bounds of at most 52 bits.
constexpr int kMostBits = 72;

// What a norm may be given as: the numbers of a range where there is an interval among the parts,
// else the ends only.
struct Found {
  Range range;
  bool interval = false;

  bool may_be_finite(const Format& f) const {
    return range.has_numbers && range.low <= static_cast<std::int64_t>(f.max_finite);
  }
};

// √x rounded to `first` and then to the output.
std::uint64_t narrowed(const Unrounded& root, const Format& first, const Format& output) {
  return converted(rounded(root, first), first, output);
}

Unrounded root_of(std::uint64_t bits, const Format& f) {
  const Unrounded x = decode(bits, f);
  return square_root(x.significand, x.exponent - 62);
}

// The root of a sum of squares in a format: rounded at once, and to that format first.
void add_root(Range& range, std::uint64_t sum, const Format& f, const Format& output) {
  if (sum > f.max_finite) {  // the norm is inf, or what stands for it
    range.add(output.beyond, output);
    return;
  }
  const Unrounded root = root_of(sum, f);
  range.add(rounded(root, output), output);
  range.add(narrowed(root, f, output), output);
}

// The squares of all elements. With `least` and `most` each is itself or rounded to binary32 before
// it is added, whichever is less or more.
class Squares {
 public:
  explicit Squares(const Format& binary32_format) : binary32_(binary32_format) {}

  // The square of an odd number of at most 24 bits times 2^exponent.
  void add(std::uint64_t odd, int exponent) {
    const std::uint64_t square = odd * odd;
    exponent *= 2;
    const int top = length(square) - 1 + exponent;
    ++count_;
    exact_.add(square, exponent);
    if (length(square) <= binary32.precision() && exponent >= binary32.min_quantum() &&
        top <= binary32.max_exponent()) {
      least_.add(square, exponent);
      most_.add(square, exponent);
      return;
    }
    unrounded_ = true;
    if (exponent < binary32.min_quantum()) ++below_quantum_;
    const int zeros = 63 - length(square);
    const std::uint64_t nearest = rounded_magnitude(square << zeros, top, binary32_);
    if (nearest > binary32_.max_finite) {
      least_.add(square, exponent);
      most_.add(square, exponent);
      return;
    }
    const Unrounded x = decode(nearest, binary32_);
    const int last = x.is_zero() ? 0 : std::countr_zero(x.significand);
    const std::uint64_t other = x.significand >> last;
    const int other_exponent = x.exponent - 62 + last;
    // Both have their highest bit in the same place, or the larger one's is above.
    const bool up = !x.is_zero() && (x.exponent > top || x.significand > square << zeros);
    (up ? least_ : most_).add(square, exponent);
    if (!x.is_zero()) (up ? most_ : least_).add(other, other_exponent);
  }

  // All three in the unit of the exact sum, of which those that are rounded are multiples too: a
  // square is no multiple of less than the last place that it is rounded to.
  void align() {
    least_.align(exact_.unit());
    most_.align(exact_.unit());
  }
  // What `least` adds is no larger than the squares, and fits where they do.
  bool fit() const { return exact_.fits() && most_.fits(); }

  std::int64_t count() const { return count_; }
  // No addition rounds in binary32, in any order, as Sum has it.
  bool no_addition_rounds() const {
    return exact_.unit() >= binary32.min_quantum() && most_.total() <= Uint128{1}
                                                                           << binary32.precision();
  }
  // RN of the exact sum.
  std::uint64_t sum(const Format& f) const {
    return rounded(jammed(exact_.total(), exact_.unit() + 125, false), f);
  }
  Unrounded root() const { return square_root(exact_.total(), exact_.unit()); }

  struct Ends {
    std::uint64_t low, high;
  };
  // What their sums in binary32 may come to.
  std::optional<Ends> sums() const;

 private:
  const Format& binary32_;
  std::int64_t count_ = 0;
  Aligned exact_, least_, most_;
  bool unrounded_ = false;          // some are no numbers of binary32
  std::int64_t below_quantum_ = 0;  // those of them that are no multiples of eta
};

// x / 2^bits, not above and not below.
struct Cut {
  Int128 low, high;

  Cut(Uint128 x, int bits)
      : low(static_cast<Int128>(x >> bits)), high(-(-static_cast<Int128>(x) >> bits)) {}
};

// sum ± E of accumulation.hpp, for terms of one sign. Overflow needs no look of its own: what
// overflows on the way makes the upper end overflow too, which is no less. (Of two squares it might
// be less by what underflows; but those are too far from each other for the integers here.)
std::optional<Squares::Ends> Squares::sums() const {
  const int unit = exact_.unit();
  const bool errors = count_ > 2 && !no_addition_rounds();
  Fraction bound{0, 1};
  if (errors && unrounded_)
    bound = growth_bound(count_ - 1, binary32.precision());
  else if (errors)
    bound = summation_bound(count_, binary32.precision());
  // eta/2 for each that is no multiple of eta, so that the unit is no larger than that.
  Uint128 halves = 0;
  if (errors && below_quantum_ != 0) {
    const int shift = binary32.min_quantum() - 1 - unit;
    halves = static_cast<Uint128>(below_quantum_);
    if (length(halves) + shift > Aligned::kMostBits) return {};
    halves <<= shift;
  }
  const int cut = std::max(0, length(std::max(most_.total(), halves)) - kMostBits);
  const Cut least(least_.total(), cut), most(most_.total(), cut), lost(halves, cut);
  const auto error = static_cast<Int128>(bound.numerator);
  const auto one = static_cast<Int128>(bound.denominator);
  // An end between a and b, if they agree.
  const auto end = [&](Int128 a, Int128 b) -> std::optional<std::uint64_t> {
    const auto nearest = [&](Int128 x) {
      return rounded_fraction(std::max(x, Int128{0}), bound.denominator, unit + cut, binary32_);
    };
    const std::uint64_t result = nearest(a);
    if (a != b && nearest(b) != result) return {};
    return result;
  };
  const auto low = end(least.low * one - most.high * error - lost.high * (one + error),
                       least.high * one - most.low * error - lost.low * (one + error));
  const auto high = end(most.low * (one + error) + lost.low * (one + error),
                        most.high * (one + error) + lost.high * (one + error));
  if (!low || !high) return {};
  return Ends{*low, *high};
}

// What Sum and root_of of norm.cpp give in binary32.
std::optional<Found> in_binary32(const Squares& squares, const Format& f, const Format& output) {
  const auto sums = squares.sums();
  if (!sums) return {};
  Found found;
  add_root(found.range, sums->low, f, output);
  if (sums->low == sums->high) return found;
  add_root(found.range, sums->high, f, output);
  // From a number to NaN, which stands for what is beyond the range.
  if (found.range.nan && found.range.has_numbers) found.range.add(output.max_finite, output);
  found.interval = found.range.low != found.range.high;
  return found;
}

}  // namespace

std::optional<Range> norm(std::span<const std::uint64_t> elements, const NumberFormat& format,
                          const Policy& policy) {
  if (policy.may_flush || policy.norm_of_tensor_norms || policy.norm_is_rescaled ||
      !is_judged(format) || elements.size() >= 1 << 20)
    return {};
  static const Format kBinary32(binary32), kBinary64(binary64);
  const Format f(format), output(norm_format(format, policy));
  Squares squares(kBinary32);
  for (const std::uint64_t bits : elements) {
    if (!format.is_finite(bits)) return {};
    if (format.is_zero(bits)) continue;
    const Unrounded x = decode(bits, f);
    const int zeros = std::countr_zero(x.significand);
    squares.add(x.significand >> zeros, x.exponent - 62 + zeros);
  }
  squares.align();
  if (!squares.fit()) return {};
  std::optional<Found> found = in_binary32(squares, kBinary32, output);
  if (!found) return {};
  // Where there is nothing but an overflow norm_of adds nothing to it.
  if (!found->may_be_finite(output)) return found->range;

  // norm_of adds what binary64 gives and the exact norm rounded once. With s the exact sum, both
  // lie in the interval that is already there where additions of three squares or more round in
  // binary32. In binary64, where every square is a number, n < 2^20 of them and the last rounding
  // give s·(1±2^-32). In binary32, where E is at least 2v·s for three terms or more:
  // - The lower end is below s·(1-v): as a normal number it is at most s·(1-2v) rounded, which is
  //   no more than s·(1-2v)·(1+v). As a subnormal one it may be rounded up by eta/2. But it is one
  //   only where some square is no multiple of eta, for which E has an eta/2 more: without such
  //   squares s is about 2^-125 at least, as additions round, and E less than s/15.
  // - The upper end is above s·(1+v/2): at least s·(1+2v)·(1-v), or down by eta/2 likewise.
  // Roots, rounding and conversion are monotone, and halve v; one rounding in binary64 between them
  // is 2^-53.
  // Where none rounds, the exact norm is in it already, and so is that of binary64: the sum is an
  // integer of 24 bits, whose root is half way between two numbers or 2^-52 of itself away from it.
  if (squares.count() > 2) return found->range;
  // Else there is one addition at most: in binary64 the sum is one number. Where the norm is not
  // narrowed binary64 is what its root is rounded to first.
  const std::uint64_t sum = squares.sum(kBinary64);
  if (policy.narrow_norm)
    add_root(found->range, sum, kBinary64, output);
  else
    found->range.add(narrowed(root_of(sum, kBinary64), kBinary64, output), output);
  found->range.add(rounded(squares.root(), output), output);
  // Of patterns that are no neighbours, what lies between is not in the set.
  if (!found->interval && found->range.high - found->range.low > 1) return {};
  return found->range;
}

}  // namespace ampcheck::reference::fast
