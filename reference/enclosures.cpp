#include "reference/enclosures.hpp"

#include <mpfr.h>

#include <stdexcept>

#include "reference/rational_boost.hpp"

namespace ampcheck::reference {
namespace {

using Function = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

constexpr int kPrecision = 256;

// f(q) rounded in one direction; f rises, so that q is converted in the same.
Rational rounded(Function f, const BoostRational& q, mpfr_rnd_t mode) {
  mpfr_t x;
  mpfr_init2(x, kPrecision);
  mpfr_set_q(x, q.backend().data(), mode);
  f(x, x, mode);
  BoostInteger significand;
  if (mpfr_zero_p(x)) {
    mpfr_clear(x);
    return 0;
  }
  const auto exponent = static_cast<int>(mpfr_get_z_2exp(significand.backend().data(), x));
  mpfr_clear(x);
  return RationalAccess::from_boost(BoostRational(significand)) * Rational::power_of_two(exponent);
}

Interval enclosure(Function f, const Rational& q) {
  const BoostRational argument = RationalAccess::boost(q);
  return {rounded(f, argument, MPFR_RNDD), rounded(f, argument, MPFR_RNDU)};
}

}  // namespace

Interval exp_enclosure(const Rational& q) {
  if (q <= Rational(-4096)) return {0, Rational::power_of_two(-5000)};
  return enclosure(mpfr_exp, q);
}

Interval log_enclosure(const Rational& q) {
  if (q.sign() <= 0) throw std::domain_error("logarithm of a number that is not positive");
  return enclosure(mpfr_log, q);
}

}  // namespace ampcheck::reference
