#include "reference/exact.hpp"

#include <stdexcept>

namespace ampcheck::reference {
namespace {

// The radicand of the field that holds both.
const Rational& common_radicand(const Exact& a, const Exact& b) {
  if (a.is_rational()) return b.radicand();
  if (!b.is_rational() && a.radicand() != b.radicand())
    throw std::domain_error("exact arithmetic on two different square roots");
  return a.radicand();
}

}  // namespace

Exact::Exact(Rational a, Rational b, const Rational& q) : a_(std::move(a)), b_(std::move(b)) {
  if (!b_.is_zero()) q_ = q;
}

Exact Exact::square_root(const Rational& q) {
  if (q.sign() < 0) throw std::domain_error("square root of a negative number");
  Rational root;
  if (q.is_square(&root)) return root;
  return Exact(0, 1, q);
}

Exact operator+(const Exact& x, const Exact& y) {
  return Exact(x.a_ + y.a_, x.b_ + y.b_, common_radicand(x, y));
}

Exact operator-(const Exact& x, const Exact& y) {
  return Exact(x.a_ - y.a_, x.b_ - y.b_, common_radicand(x, y));
}

Exact operator*(const Exact& x, const Exact& y) {
  const Rational& q = common_radicand(x, y);
  if (x.is_rational() && y.is_rational()) return x.a_ * y.a_;
  return Exact(x.a_ * y.a_ + x.b_ * y.b_ * q, x.a_ * y.b_ + x.b_ * y.a_, q);
}

Exact operator/(const Exact& x, const Exact& y) {
  if (y.is_rational()) return Exact(x.a_ / y.a_, x.b_ / y.a_, x.q_);
  // 1/(a + b·√q) = (a - b·√q)/(a² - b²·q); the norm is not zero since q is no square.
  const Rational norm = y.a_ * y.a_ - y.b_ * y.b_ * y.q_;
  return x * Exact(y.a_ / norm, -y.b_ / norm, y.q_);
}

Exact Exact::operator-() const { return Exact(-a_, -b_, q_); }

int Exact::sign() const {
  const int a = a_.sign(), b = b_.sign();
  if (b == 0 || a == b) return a;
  if (a == 0) return b;
  // The signs differ: the larger of |a| and |b|·√q decides.
  const std::strong_ordering order = a_ * a_ <=> b_ * b_ * q_;
  return order > 0 ? a : b;  // never equal: q is no square
}

std::string Exact::to_string() const {
  if (is_rational()) return a_.to_string();
  const std::string root = b_.to_string() + "·√(" + q_.to_string() + ")";
  return a_.is_zero() ? root : a_.to_string() + " + " + root;
}

}  // namespace ampcheck::reference
