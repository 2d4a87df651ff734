#include "reference/error_bounds.hpp"

#include "reference/policy.hpp"
#include "reference/rounding.hpp"

namespace ampcheck::reference {

Rational overflow_threshold(const NumberFormat& f) {
  return value_of(f.max_finite(), f) +
         Rational::power_of_two(f.max_exponent() - f.fraction_bits - 1);
}

Rational relative_error(const NumberFormat& f) {
  const Rational u = unit_roundoff(f);
  return u / (Rational(1) + u);
}

Rational growth_bound(std::size_t k, const NumberFormat& f) {
  if (k == 0) return 0;
  const Rational v = relative_error(f);
  if (k == 1) return v;
  if (k == 2) return v * 2 + v * v;
  const Rational x = v * static_cast<std::int64_t>(k);
  if (x < Rational(2)) return x + x * x / (Rational(2) - x * 2 / 3);
  // 2^(3x/2) > e^x, and x <= k·2^-p.
  return Rational::power_of_two(static_cast<int>((3 * k) >> (f.precision() + 1)) + 1);
}

Rational summation_bound(std::size_t terms, const NumberFormat& f) {
  if (terms < 2) return 0;
  if (terms <= 3) return growth_bound(terms - 1, f);
  return unit_roundoff(f) * static_cast<std::int64_t>(terms - 1);
}

}  // namespace ampcheck::reference
