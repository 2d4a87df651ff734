#include "reference/rational.hpp"

#include <bit>
#include <cstdlib>
#include <stdexcept>

#include "reference/rational_boost.hpp"

namespace ampcheck::reference {
namespace {

using Small = RationalAccess::Small;

// Exponents of small forms stay far inside of int.
constexpr std::int64_t kMaxExponent = std::int64_t{1} << 24;

// The length of |x|, which is never 2^63.
int bits(std::int64_t x) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::abs(x))));
}

mpz_srcptr numerator_of(const BoostRational& x) { return mpq_numref(x.backend().data()); }
mpz_srcptr denominator_of(const BoostRational& x) { return mpq_denref(x.backend().data()); }

// x·2^exponent, exactly.
void shift(BoostRational& x, std::int64_t exponent) {
  mpq_ptr data = x.backend().data();
  if (exponent >= 0)
    mpq_mul_2exp(data, data, static_cast<mp_bitcnt_t>(exponent));
  else
    mpq_div_2exp(data, data, static_cast<mp_bitcnt_t>(-exponent));
}

// a + b where both are small and no bit of the aligned sum leaves 126 bits.
std::optional<Rational> small_sum(const Small& a, const Small& b) {
  if (a.significand == 0) return RationalAccess::from_wide(b.significand, b.exponent);
  if (b.significand == 0) return RationalAccess::from_wide(a.significand, a.exponent);
  const bool a_is_finer = a.exponent < b.exponent;
  const Small &fine = a_is_finer ? a : b, &coarse = a_is_finer ? b : a;
  const std::int64_t distance = std::int64_t{coarse.exponent} - fine.exponent;
  if (distance > 62) return {};
  const Wide sum = Wide{coarse.significand} * (Wide{1} << distance) + fine.significand;
  return RationalAccess::from_wide(sum, fine.exponent);
}

}  // namespace

Rational::Big* Rational::copy(const Big* other) { return new Big(*other); }
void Rational::destroy(Big* big) { delete big; }

std::optional<Rational> RationalAccess::from_wide(Wide significand, std::int64_t exponent) {
  Rational result;
  if (significand == 0) return result;
  const int zeros = std::countr_zero(static_cast<std::uint64_t>(significand));
  significand >>= zeros;
  exponent += zeros;
  constexpr Wide kLimit = (Wide{1} << 63) - 1;
  if (significand > kLimit || significand < -kLimit) return {};
  if (std::abs(exponent) > kMaxExponent) return {};
  result.small_ = {static_cast<std::int64_t>(significand), static_cast<std::int32_t>(exponent)};
  return result;
}

BoostRational RationalAccess::boost(const Rational& x) {
  if (x.big_ != nullptr) return x.big_->value;
  BoostRational result(x.small_.significand);
  shift(result, x.small_.exponent);
  return result;
}

Rational RationalAccess::from_boost(BoostRational value) {
  mpz_srcptr n = numerator_of(value), d = denominator_of(value);
  if (mpz_popcount(d) == 1) {  // dyadic, and perhaps small
    if (mpz_sgn(n) == 0) return {};
    const auto zeros = mpz_scan1(n, 0);
    if (mpz_sizeinbase(n, 2) - zeros <= 63) {
      const auto exponent =
          static_cast<std::int64_t>(zeros) - static_cast<std::int64_t>(mpz_sizeinbase(d, 2) - 1);
      BoostInteger odd;
      mpz_tdiv_q_2exp(odd.backend().data(), n, zeros);
      if (std::optional<Rational> small = from_wide(odd.convert_to<std::int64_t>(), exponent))
        return std::move(*small);
    }
  }
  Rational result;
  result.big_ = new Rational::Big{std::move(value)};
  return result;
}

Rational::Rational(std::int64_t integer) : Rational(dyadic(integer, 0)) {}

Rational Rational::dyadic(std::int64_t significand, int exponent) {
  if (std::optional<Rational> small = RationalAccess::from_wide(significand, exponent))
    return std::move(*small);
  BoostRational value(significand);
  shift(value, exponent);
  return RationalAccess::from_boost(std::move(value));
}

Rational Rational::from_unsigned(std::uint64_t integer) {
  if (std::optional<Rational> small = RationalAccess::from_wide(static_cast<Wide>(integer), 0))
    return std::move(*small);
  return RationalAccess::from_boost(BoostRational(integer));
}

Rational& Rational::operator+=(const Rational& other) {
  if (big_ == nullptr && other.big_ == nullptr)
    if (std::optional<Rational> sum = small_sum(small_, other.small_))
      return *this = std::move(*sum);
  return *this = RationalAccess::from_boost(RationalAccess::boost(*this) +
                                            RationalAccess::boost(other));
}

Rational& Rational::operator-=(const Rational& other) { return *this += -other; }

Rational& Rational::operator*=(const Rational& other) {
  if (big_ == nullptr && other.big_ == nullptr) {
    const Wide product = Wide{small_.significand} * other.small_.significand;
    const std::int64_t exponent = std::int64_t{small_.exponent} + other.small_.exponent;
    if (std::optional<Rational> small = RationalAccess::from_wide(product, exponent))
      return *this = std::move(*small);
  }
  return *this = RationalAccess::from_boost(RationalAccess::boost(*this) *
                                            RationalAccess::boost(other));
}

Rational& Rational::operator/=(const Rational& other) {
  if (other.is_zero()) throw std::domain_error("division of an exact number by zero");
  if (big_ == nullptr && other.big_ == nullptr &&
      small_.significand % other.small_.significand == 0) {
    const std::int64_t exponent = std::int64_t{small_.exponent} - other.small_.exponent;
    if (std::optional<Rational> small =
            RationalAccess::from_wide(small_.significand / other.small_.significand, exponent))
      return *this = std::move(*small);
  }
  return *this = RationalAccess::from_boost(RationalAccess::boost(*this) /
                                            RationalAccess::boost(other));
}

Rational Rational::operator-() const {
  Rational result;
  if (big_ == nullptr) {
    result.small_ = {-small_.significand, small_.exponent};  // never the least integer
    return result;
  }
  result.big_ = new Big{-big_->value};
  return result;
}

int Rational::sign() const {
  if (big_ != nullptr) return big_->value.sign();
  return small_.significand < 0 ? -1 : small_.significand > 0 ? 1 : 0;
}

int Rational::floor_log2() const {
  if (big_ == nullptr) return bits(small_.significand) - 1 + small_.exponent;
  const auto n = static_cast<std::int64_t>(mpz_sizeinbase(numerator_of(big_->value), 2));
  const auto d = static_cast<std::int64_t>(mpz_sizeinbase(denominator_of(big_->value), 2));
  const int guess = static_cast<int>(n - d);  // the answer, or one above it
  return abs() < power_of_two(guess) ? guess - 1 : guess;
}

bool Rational::is_dyadic() const {
  return big_ == nullptr || mpz_popcount(denominator_of(big_->value)) == 1;
}

int Rational::trailing_exponent() const {
  if (big_ == nullptr) return small_.exponent;
  const auto zeros = static_cast<std::int64_t>(mpz_scan1(numerator_of(big_->value), 0));
  const auto below = static_cast<std::int64_t>(mpz_sizeinbase(denominator_of(big_->value), 2)) - 1;
  return static_cast<int>(zeros - below);
}

bool Rational::is_square(Rational* root) const {
  if (sign() < 0) return false;
  const BoostRational value = RationalAccess::boost(*this);
  // In lowest terms a fraction is a square exactly where both halves are.
  if (mpz_perfect_square_p(numerator_of(value)) == 0 ||
      mpz_perfect_square_p(denominator_of(value)) == 0)
    return false;
  BoostRational result;
  mpz_sqrt(mpq_numref(result.backend().data()), numerator_of(value));
  mpz_sqrt(mpq_denref(result.backend().data()), denominator_of(value));
  *root = RationalAccess::from_boost(std::move(result));
  return true;
}

std::string Rational::to_string() const { return RationalAccess::boost(*this).str(); }

bool operator==(const Rational& a, const Rational& b) {
  if (a.big_ == nullptr || b.big_ == nullptr)
    return a.big_ == nullptr && b.big_ == nullptr && a.small_ == b.small_;
  return a.big_->value == b.big_->value;
}

std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
  if (a.big_ != nullptr || b.big_ != nullptr)
    return RationalAccess::boost(a).compare(RationalAccess::boost(b)) <=> 0;
  const int sign_a = a.sign(), sign_b = b.sign();
  if (sign_a != sign_b) return sign_a <=> sign_b;
  const int log_a = a.floor_log2(), log_b = b.floor_log2();
  if (log_a != log_b) return sign_a > 0 ? log_a <=> log_b : log_b <=> log_a;
  // The same binade: the significands have at most 63 bits, so that the exponents differ by at
  // most 62.
  const Small &x = a.small_, &y = b.small_;
  const std::int64_t distance = std::int64_t{x.exponent} - y.exponent;
  const Wide left =
      distance > 0 ? Wide{x.significand} * (Wide{1} << distance) : Wide{x.significand};
  const Wide right =
      distance < 0 ? Wide{y.significand} * (Wide{1} << -distance) : Wide{y.significand};
  return left < right   ? std::strong_ordering::less
         : left > right ? std::strong_ordering::greater
                        : std::strong_ordering::equal;
}

Rational min(const Rational& a, const Rational& b) { return b < a ? b : a; }
Rational max(const Rational& a, const Rational& b) { return a < b ? b : a; }

Rational power(Rational base, std::int64_t exponent) {
  Rational result = 1;
  for (; exponent > 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result *= base;
    if (exponent > 1) base *= base;
  }
  return result;
}

}  // namespace ampcheck::reference
