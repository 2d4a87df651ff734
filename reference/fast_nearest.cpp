#include "reference/fast_nearest.hpp"

namespace ampcheck::reference::fast {
namespace {

// The bits of a significand that a product with another of 24 bits has room for.
constexpr int kBits = 24;
constexpr int kShorter = 63 - kBits;

bool is_short(std::uint64_t significand) {
  return significand >> kShorter << kShorter == significand;
}

}  // namespace

Nearest::Nearest(const Format& x, const Format& r)
    : x_mask_(x.magnitude_mask),
      x_hidden_(std::uint64_t{1} << x.fraction_bits),
      x_normals_(x.max_finite - x_hidden_ + 1),
      x_sign_(x.sign_bit),
      r_mask_(r.magnitude_mask),
      r_hidden_(std::uint64_t{1} << r.fraction_bits),
      r_max_finite_(r.max_finite),
      r_sign_(r.sign_bit),
      r_nan_(r.negative_zero == 0 ? r.sign_bit : ~std::uint64_t{0}),
      x_bits_(x.fraction_bits),
      r_bits_(r.fraction_bits) {}

std::optional<Nearest> Nearest::make(const Format& x, const Format& r, std::uint64_t factor,
                                     std::uint64_t divisor, int exponent, const Format* through) {
  const int p = x.fraction_bits + 1, q = r.fraction_bits + 1;
  if (p > kBits || q > kBits || !is_short(divisor == 0 ? factor : divisor)) return {};
  Nearest result(x, r);
  // A factor or a divisor F of 24 bits, 2^23 <= F < 2^24.
  int least;  // the exponent of the smallest quotient, less those of X and of the other
  if (divisor == 0) {
    result.a_ = factor >> kShorter;
    result.b_ = std::uint64_t{1} << (p - q + kBits - 1);  // 2^(q-1) <= X·F/B < 2^(q+1)
    least = 0;
  } else {
    result.a_ = std::uint64_t{1} << (q - p + kBits);  // 2^(q-1) < X·A/F < 2^(q+1)
    result.b_ = divisor >> kShorter;
    least = -1;
  }
  if (through != nullptr) {
    if (through->fraction_bits <= r.fraction_bits || through->min_exponent > r.min_exponent ||
        through->format->max_exponent() < r.format->max_exponent())
      return {};
    result.more_ = through->fraction_bits - r.fraction_bits;
  }
  // Products R·B·2·2^above stay below 2^63: R < 2^q.
  result.most_ = static_cast<std::uint64_t>(std::countl_zero(result.b_) - q - 2);
  // Fields count from the exponents of the smallest normal numbers.
  result.difference_ =
      static_cast<std::uint64_t>(exponent + least + x.min_exponent - r.min_exponent);
  return result;
}

}  // namespace ampcheck::reference::fast
