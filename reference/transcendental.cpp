#include "reference/transcendental.hpp"

#include <mpfr.h>

#include <optional>

#include "reference/rational_boost.hpp"

namespace ampcheck::reference {

// low <= f(q) <= high, where q is no exact case of f.
struct Transcendental::Interval {
  using Function = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

  Interval(Function function, const char* name, const Rational& argument,
           std::optional<Rational> exact_value)
      : f(function), f_name(name), q(argument), exact(std::move(exact_value)) {
    mpfr_init2(low, kFirstPrecision);
    mpfr_init2(high, kFirstPrecision);
    if (!exact) compute(kFirstPrecision);
  }
  ~Interval() {
    mpfr_clear(low);
    mpfr_clear(high);
  }
  Interval(const Interval&) = delete;
  Interval& operator=(const Interval&) = delete;

  // f rises, and both it and the conversion of q round outwards.
  void compute(int bits) {
    const BoostRational argument = RationalAccess::boost(q);
    for (const auto& [end, mode] : {std::pair{&low, MPFR_RNDD}, std::pair{&high, MPFR_RNDU}}) {
      mpfr_set_prec(*end, bits);
      mpfr_set_q(*end, argument.backend().data(), mode);
      f(*end, *end, mode);
    }
    precision = bits;
  }

  static constexpr int kFirstPrecision = 64;

  Function f;
  const char* f_name;
  Rational q;
  std::optional<Rational> exact;
  mpfr_t low, high;
  int precision = 0;
};

Transcendental::Transcendental(std::unique_ptr<Interval> interval)
    : interval_(std::move(interval)) {}
Transcendental::Transcendental(Transcendental&&) noexcept = default;
Transcendental& Transcendental::operator=(Transcendental&&) noexcept = default;
Transcendental::~Transcendental() = default;

Transcendental Transcendental::exp(const Rational& q) {
  return Transcendental(std::make_unique<Interval>(
      mpfr_exp, "exp", q, q.is_zero() ? std::optional<Rational>(1) : std::nullopt));
}

Transcendental Transcendental::log(const Rational& q) {
  if (q.sign() <= 0) throw std::domain_error("logarithm of a number that is not positive");
  return Transcendental(std::make_unique<Interval>(
      mpfr_log, "log", q, q == Rational(1) ? std::optional<Rational>(0) : std::nullopt));
}

std::strong_ordering Transcendental::compare(const Rational& r) const {
  Interval& x = *interval_;
  if (x.exact) return *x.exact <=> r;
  const BoostRational other = RationalAccess::boost(r);
  while (true) {
    // An end that is r itself decides too: the number is not.
    if (mpfr_cmp_q(x.low, other.backend().data()) >= 0) return std::strong_ordering::greater;
    if (mpfr_cmp_q(x.high, other.backend().data()) <= 0) return std::strong_ordering::less;
    if (x.precision >= kMaxPrecision)
      throw PrecisionExceeded(to_string() + " against a rational needs more than " +
                              std::to_string(kMaxPrecision) + " bits");
    x.compute(2 * x.precision);
  }
}

std::string Transcendental::to_string() const {
  return std::string(interval_->f_name) + "(" + interval_->q.to_string() + ")";
}

int Transcendental::precision() const { return interval_->precision; }

}  // namespace ampcheck::reference
