// A sum of magnitudes that lie close enough together to share 128 bits.
#pragma once

#include <algorithm>
#include <bit>

#include "reference/fast_rounding.hpp"

namespace ampcheck::reference::fast {

// Bits of an integer; 0 for 0.
inline int length(Uint128 x) {
  const auto high = static_cast<std::uint64_t>(x >> 64);
  return static_cast<int>(high != 0 ? 64 + std::bit_width(high)
                                    : std::bit_width(static_cast<std::uint64_t>(x)));
}

// total·2^unit, exactly, where every term was a multiple of 2^unit, and one an odd one.
class Aligned {
 public:
  // Longer sums are refused; they leave room for the factors of error bounds.
  static constexpr int kMostBits = 96;

  // An odd significand times 2^exponent.
  void add(std::uint64_t odd, int exponent) {
    if (is_zero()) unit_ = exponent;
    align(std::min(unit_, exponent));
    const int shift = exponent - unit_;
    fits_ = fits_ && std::bit_width(odd) + shift < kMostBits;
    if (!fits_) return;
    total_ += Uint128{odd} << shift;
    fits_ = length(total_) <= kMostBits;
  }
  // The same sum in a smaller unit.
  void align(int unit) {
    fits_ = fits_ && (is_zero() || length(total_) + (unit_ - unit) <= kMostBits);
    if (!fits_) return;
    if (!is_zero()) total_ <<= unit_ - unit;
    unit_ = unit;
  }

  bool is_zero() const { return total_ == 0; }
  bool fits() const { return fits_; }
  Uint128 total() const { return total_; }
  int unit() const { return unit_; }

 private:
  Uint128 total_ = 0;
  int unit_ = 0;
  bool fits_ = true;
};

// What an Admissible says of an interval: every number from one to the other, in the order of their
// values, and perhaps NaN and both infinities.
struct Range {
  bool has_numbers = false;
  std::int64_t low = 0, high = 0;  // magnitudes with the sign of the number
  bool nan = false, infinities = false;

  static std::int64_t key(std::uint64_t bits, const Format& f) {
    const auto magnitude = static_cast<std::int64_t>(bits & f.magnitude_mask);
    return (bits & f.sign_bit) != 0 ? -magnitude : magnitude;
  }
  // NaN or a number.
  void add(std::uint64_t bits, const Format& f) {
    if (f.format->is_nan(bits)) {
      nan = true;
      return;
    }
    const std::int64_t value = key(bits, f);
    low = has_numbers ? std::min(low, value) : value;
    high = has_numbers ? std::max(high, value) : value;
    has_numbers = true;
  }
  void add_non_finite(const Format& f) {
    nan = nan || f.format->has_nan();
    infinities = infinities || f.format->has_infinity();
  }
  bool contains(std::uint64_t bits, const Format& f) const {
    if (f.format->is_nan(bits)) return nan;
    if (infinities && f.format->is_infinite(bits)) return true;
    const std::int64_t value = key(bits, f);
    return has_numbers && low <= value && value <= high;
  }
};

}  // namespace ampcheck::reference::fast
