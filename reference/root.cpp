#include "reference/root.hpp"

#include <numeric>

namespace ampcheck::reference {
Root::Root(Rational q, int p) : q_(std::move(q)), p_(p) {
  if (q_.sign() < 0) throw std::domain_error("root of a negative number");
  if (p < 2) throw std::domain_error("roots start at the square root");
}

std::strong_ordering Root::compare(const Rational& r) const {
  if (r.sign() < 0) return std::strong_ordering::greater;
  if (r.is_zero() || q_.is_zero()) return Rational(q_.sign()) <=> Rational(r.sign());
  // 2^e <= r < 2^(e+1), and the same of q: powers that lie in other binades need not be formed.
  const std::int64_t e = r.floor_log2(), of_q = q_.floor_log2();
  if (e * p_ > of_q) return std::strong_ordering::less;
  if ((e + 1) * p_ <= of_q) return std::strong_ordering::greater;
  return q_ <=> power(r, p_);
}

std::string Root::to_string() const {
  return "(" + q_.to_string() + ")^(1/" + std::to_string(p_) + ")";
}

std::strong_ordering operator<=>(const Root& a, const Root& b) {
  const std::int64_t common = std::gcd(std::int64_t{a.p_}, std::int64_t{b.p_});
  return power(a.q_, b.p_ / common) <=> power(b.q_, a.p_ / common);
}

}  // namespace ampcheck::reference
