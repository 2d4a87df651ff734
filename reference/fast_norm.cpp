#include "reference/fast_norm.hpp"

namespace ampcheck::reference::fast {
namespace {

// Numbers with 62 bits behind the point: one that is not above, and one that is not below.
struct Bounds {
  Uint128 low, high;
};
constexpr int kPoint = 62;

Bounds times(const Bounds& a, const Bounds& b) {
  return {(a.low * b.low) >> kPoint, ((a.high * b.high) >> kPoint) + 1};
}

// (1+v)^n with v = u/(1+u) = 1/(2^24 + 1).
Bounds growth(std::size_t n) {
  constexpr Uint128 kOne = Uint128{1} << kPoint;
  constexpr Uint128 kBelow = (Uint128{1} << binary32.precision()) + 1;
  Bounds result{kOne, kOne}, square{kOne + kOne / kBelow, kOne + kOne / kBelow + 1};
  for (; n != 0; n >>= 1) {
    if ((n & 1) != 0) result = times(result, square);
    square = times(square, square);
  }
  return result;
}

// What the root of a sum of squares may be given as.
struct Root {
  bool overflows;  // the sum does
  std::uint64_t twice, once;

  friend bool operator==(const Root&, const Root&) = default;
};

// √(square·2^unit), square < 2^127: rounded to binary32 and then to the output, and at once.
Root root_of(Uint128 square, int unit, const Format& binary32_format, const Format& output) {
  if (square == 0) return {false, 0, 0};
  const std::uint64_t sum = rounded(jammed(square, unit + 125, false), binary32_format);
  if (sum > binary32_format.max_finite) return {true, 0, 0};
  const Unrounded root = square_root(square, unit);
  const std::uint64_t wide = rounded(root, binary32_format);
  return {false, converted(wide, binary32_format, output), rounded(root, output)};
}

void add(Range& range, const Root& root, const Format& output) {
  if (root.overflows) {
    range.add(output.beyond, output);
    return;
  }
  range.add(root.twice, output);
  range.add(root.once, output);
}

// True where no square and no sum of squares rounds in binary32: norm.hpp says why.
bool is_exact(const Aligned& squares) {
  if (squares.is_zero()) return true;
  const int top = length(squares.total()) + squares.unit();
  return squares.unit() >= binary32.min_quantum() &&
         squares.total() <= Uint128{1} << binary32.precision() &&
         top <= binary32.max_exponent() + 1;
}

}  // namespace

std::optional<Range> norm(std::span<const std::uint64_t> elements, const NumberFormat& format,
                          const Policy& policy) {
  if (policy.may_flush || policy.norm_of_tensor_norms || policy.norm_is_rescaled ||
      !is_supported(format) || format.width > 32 || !format.has_nan() || elements.size() >= 1 << 20)
    return {};
  static const Format kBinary32(binary32);
  const Format f(format), output(norm_format(format, policy));
  Aligned squares;
  for (const std::uint64_t bits : elements) {
    if (!format.is_finite(bits)) return {};
    if (format.is_zero(bits)) continue;
    const Unrounded x = decode(bits, f);
    const int zeros = std::countr_zero(x.significand);
    const std::uint64_t odd = x.significand >> zeros;
    squares.add(odd * odd, 2 * (x.exponent - kPoint + zeros));
  }
  if (!squares.fits()) return {};

  Range result;
  if (is_exact(squares)) {
    add(result, root_of(squares.total(), squares.unit(), kBinary32, output), output);
    return result;
  }
  // The sum as 62 bits, rounded down and up: sum = significand·2^(unit + shift).
  const int shift = length(squares.total()) - kPoint;
  const Uint128 exact = shift > 0 ? squares.total() >> shift : squares.total() << -shift;
  const bool more = shift > 0 && exact << shift != squares.total();
  const Bounds sum{exact, exact + (more ? 1 : 0)};
  const int unit = squares.unit() + shift - kPoint;  // of a product with `growth`

  const Bounds power = growth(elements.size());
  // n·(eta/2)·(1+v)^n in that unit; eta/2 is 2^-150.
  const int lost_shift = binary32.min_quantum() - 1 - kPoint - unit;
  if (lost_shift > 40) return {};
  Bounds lost{power.low * elements.size(), power.high * elements.size()};
  if (lost_shift >= 0)
    lost = {lost.low << lost_shift, lost.high << lost_shift};
  else
    lost = {-lost_shift < 128 ? lost.low >> -lost_shift : 0,
            (-lost_shift < 128 ? lost.high >> -lost_shift : 0) + 1};

  constexpr Uint128 kTwo = Uint128{2} << kPoint;
  const Bounds kept{sum.low * (kTwo - power.high), sum.high * (kTwo - power.low)};
  const Bounds grown{sum.low * power.low + lost.low, sum.high * power.high + lost.high};
  const auto less = [](Uint128 a, Uint128 b) { return a > b ? a - b : 0; };
  for (const Bounds& end : {Bounds{less(kept.low, lost.high), less(kept.high, lost.low)}, grown}) {
    const Root root = root_of(end.low, unit, kBinary32, output);
    if (!(root == root_of(end.high, unit, kBinary32, output))) return {};
    add(result, root, output);
  }
  const bool non_finite = result.nan || result.high > static_cast<std::int64_t>(output.max_finite);
  if (non_finite && !output.format->has_infinity()) result.add(output.max_finite, output);
  return result;
}

}  // namespace ampcheck::reference::fast
