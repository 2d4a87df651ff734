#include "reference/interval.hpp"

#include <algorithm>
#include <stdexcept>

#include "reference/rational_boost.hpp"

namespace ampcheck::reference {
namespace {

constexpr int kRootBits = 128;

// ⌊√x·2^k⌋·2^-k, k such that the integer has kRootBits bits; `above` gives the next one.
Rational root_beside(const Rational& x, bool above) {
  Rational root;
  if (x.sign() <= 0) return 0;
  if (x.is_square(&root)) return root;
  const int shift = kRootBits - (x.floor_log2() >> 1);
  const BoostRational scaled = RationalAccess::boost(x * Rational::power_of_two(2 * shift));
  const BoostInteger whole = BoostInteger(numerator(scaled)) / BoostInteger(denominator(scaled));
  BoostInteger floor = sqrt(whole);
  if (above) ++floor;
  return RationalAccess::from_boost(BoostRational(floor)) * Rational::power_of_two(-shift);
}

constexpr int kLongest = 256;

// ⌊x·2^k⌋·2^-k with kLongest bits, or the next one above; x itself where it is no longer.
Rational shortened(const Rational& x, bool above) {
  if (x.is_zero()) return x;
  const int shift = kLongest - 1 - x.floor_log2();
  if (x.is_dyadic() && x.trailing_exponent() >= -shift) return x;
  const BoostRational scaled = RationalAccess::boost(x * Rational::power_of_two(shift));
  BoostInteger integer;
  mpz_fdiv_q(integer.backend().data(), mpq_numref(scaled.backend().data()),
             mpq_denref(scaled.backend().data()));
  if (above) ++integer;
  return RationalAccess::from_boost(BoostRational(integer)) * Rational::power_of_two(-shift);
}

Interval of_ends(std::initializer_list<Rational> ends) { return {std::min(ends), std::max(ends)}; }

}  // namespace

Interval operator+(const Interval& a, const Interval& b) {
  return {a.low + b.low, a.high + b.high};
}
Interval operator-(const Interval& a, const Interval& b) {
  return {a.low - b.high, a.high - b.low};
}

Interval operator*(const Interval& a, const Interval& b) {
  return of_ends({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
}

Interval operator/(const Interval& a, const Interval& b) {
  if (b.low.sign() <= 0) throw std::domain_error("division by an interval that is not positive");
  return of_ends({a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high});
}

Interval hull(const Interval& a, const Interval& b) {
  return {min(a.low, b.low), max(a.high, b.high)};
}

Interval shortened(const Interval& x) { return {shortened(x.low, false), shortened(x.high, true)}; }

Interval square_root(const Interval& x) {
  return {root_beside(x.low, false), root_beside(x.high, true)};
}

}  // namespace ampcheck::reference
