#include "reference/rational.hpp"

#include <new>
#include <stdexcept>
#include <utility>

#include "reference/rational_boost.hpp"

namespace ampcheck::reference {
namespace {

BoostRational& of(Rational& x) { return RationalAccess::of(x); }
const BoostRational& of(const Rational& x) { return RationalAccess::of(x); }

// The two halves of a rational in place, without the copies that boost's accessors make.
mpz_srcptr numerator_of(const Rational& x) { return mpq_numref(of(x).backend().data()); }
mpz_srcptr denominator_of(const Rational& x) { return mpq_denref(of(x).backend().data()); }

}  // namespace

Rational::Rational() { new (storage_) BoostRational(); }
Rational::Rational(std::int64_t integer) { new (storage_) BoostRational(integer); }
Rational::Rational(const Rational& other) { new (storage_) BoostRational(of(other)); }
Rational::Rational(Rational&& other) noexcept {
  new (storage_) BoostRational(std::move(of(other)));
}
Rational& Rational::operator=(const Rational& other) {
  of(*this) = of(other);
  return *this;
}
Rational& Rational::operator=(Rational&& other) noexcept {
  of(*this) = std::move(of(other));
  return *this;
}
Rational::~Rational() { of(*this).~BoostRational(); }

Rational Rational::power_of_two(int exponent) {
  Rational result(1);
  mpq_ptr data = of(result).backend().data();
  if (exponent >= 0)
    mpq_mul_2exp(data, data, static_cast<mp_bitcnt_t>(exponent));
  else
    mpq_div_2exp(data, data, static_cast<mp_bitcnt_t>(-static_cast<std::int64_t>(exponent)));
  return result;
}

Rational Rational::from_unsigned(std::uint64_t integer) {
  Rational result;
  of(result) = BoostRational(integer);
  return result;
}

Rational& Rational::operator+=(const Rational& other) {
  of(*this) += of(other);
  return *this;
}
Rational& Rational::operator-=(const Rational& other) {
  of(*this) -= of(other);
  return *this;
}
Rational& Rational::operator*=(const Rational& other) {
  of(*this) *= of(other);
  return *this;
}
Rational& Rational::operator/=(const Rational& other) {
  if (other.is_zero()) throw std::domain_error("division of an exact number by zero");
  of(*this) /= of(other);
  return *this;
}

Rational Rational::operator-() const {
  Rational result(*this);
  mpq_ptr data = of(result).backend().data();
  mpq_neg(data, data);
  return result;
}

int Rational::sign() const { return mpq_sgn(of(*this).backend().data()); }

int Rational::floor_log2() const {
  const auto n = static_cast<std::int64_t>(mpz_sizeinbase(numerator_of(*this), 2));
  const auto d = static_cast<std::int64_t>(mpz_sizeinbase(denominator_of(*this), 2));
  const int guess = static_cast<int>(n - d);  // the answer, or one above it
  return abs() < power_of_two(guess) ? guess - 1 : guess;
}

bool Rational::is_power_of_two() const {
  if (sign() <= 0) return false;
  const auto single_bit = [](mpz_srcptr z) { return mpz_popcount(z) == 1; };
  return single_bit(numerator_of(*this)) && single_bit(denominator_of(*this));
}

bool Rational::is_dyadic() const { return mpz_popcount(denominator_of(*this)) == 1; }

int Rational::trailing_exponent() const {
  const auto zeros = static_cast<std::int64_t>(mpz_scan1(numerator_of(*this), 0));
  const auto below = static_cast<std::int64_t>(mpz_sizeinbase(denominator_of(*this), 2)) - 1;
  return static_cast<int>(zeros - below);
}

bool Rational::is_square(Rational* root) const {
  if (sign() < 0) return false;
  // In lowest terms a fraction is a square exactly where both halves are.
  if (mpz_perfect_square_p(numerator_of(*this)) == 0 ||
      mpz_perfect_square_p(denominator_of(*this)) == 0)
    return false;
  mpq_ptr data = of(*root).backend().data();
  mpz_sqrt(mpq_numref(data), numerator_of(*this));
  mpz_sqrt(mpq_denref(data), denominator_of(*this));
  return true;
}

std::string Rational::to_string() const { return of(*this).str(); }

bool operator==(const Rational& a, const Rational& b) {
  return mpq_equal(of(a).backend().data(), of(b).backend().data()) != 0;
}

std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
  const int order = mpq_cmp(of(a).backend().data(), of(b).backend().data());
  return order <=> 0;
}

Rational min(const Rational& a, const Rational& b) { return b < a ? b : a; }
Rational max(const Rational& a, const Rational& b) { return a < b ? b : a; }

}  // namespace ampcheck::reference
