#include "reference/exact.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mpfr.h>

#include <random>
#include <stdexcept>
#include <string>

namespace ampcheck::reference {
namespace {

Exact root(std::int64_t q) { return Exact::square_root(q); }

TEST(Exact, PerfectSquaresAreRational) {
  EXPECT_TRUE(Exact::square_root(Rational(9) / 4).is_rational());
  EXPECT_EQ(Exact(Rational(3) / 2), Exact::square_root(Rational(9) / 4));
  EXPECT_FALSE(root(2).is_rational());
  EXPECT_THROW(root(-1), std::domain_error);
}

TEST(Exact, StaysInItsField) {
  const Exact x = Exact(1) + root(2);
  EXPECT_EQ(Exact(1), x * (root(2) - Exact(1)));
  EXPECT_EQ(root(2) - Exact(1), Exact(1) / x);
  EXPECT_TRUE((root(2) * root(2)).is_rational());
  EXPECT_TRUE((root(2) - root(2)).is_rational());
  EXPECT_EQ(Exact(0), root(2) - root(2));
  EXPECT_EQ(root(2) / Exact(2), Exact(1) / root(2));
  EXPECT_EQ((root(3) - Exact(1)) / Exact(2), Exact(1) / (Exact(1) + root(3)));
}

TEST(Exact, RefusesTwoFieldsAndZeroDivisors) {
  EXPECT_THROW(root(2) + root(3), std::domain_error);
  EXPECT_THROW(root(2) - root(3), std::domain_error);
  EXPECT_THROW(root(2) * root(3), std::domain_error);
  EXPECT_THROW(root(2) / root(3), std::domain_error);
  EXPECT_THROW(root(2) / Exact(0), std::domain_error);
  EXPECT_NO_THROW(root(2) * Exact(3) + Exact(Rational(1) / 7));
}

// The best approximations p/q of √2 leave p - q·√2 = ±1/(p + q·√2), of alternating sign.
TEST(Exact, SignsAreRightHoweverMuchCancels) {
  Rational p = 1, q = 1;
  for (int i = 0; i < 200; ++i) {
    const Exact difference = Exact(p) - Exact(q) * root(2);
    ASSERT_EQ(i % 2 == 0 ? -1 : 1, difference.sign()) << i;
    ASSERT_EQ(i % 2 == 0 ? 1 : -1, (-difference).sign()) << i;
    ASSERT_EQ(1, difference.abs().sign());
    const Rational next = p + q * 2;
    q += p;
    p = next;
  }
}

// The second witness: 4096 bits of MPFR.
int sign_by_mpfr(const std::string& a, const std::string& b, const std::string& q) {
  mpfr_t x;
  mpfr_init2(x, 4096);
  mpq_t r;
  mpq_init(r);
  mpq_set_str(r, q.c_str(), 10);
  mpfr_set_q(x, r, MPFR_RNDN);
  mpfr_sqrt(x, x, MPFR_RNDN);
  mpq_set_str(r, b.c_str(), 10);
  mpfr_mul_q(x, x, r, MPFR_RNDN);
  mpq_set_str(r, a.c_str(), 10);
  mpfr_add_q(x, x, r, MPFR_RNDN);
  const int sign = mpfr_sgn(x);
  mpq_clear(r);
  mpfr_clear(x);
  return sign > 0 ? 1 : sign < 0 ? -1 : 0;
}

TEST(Exact, SignsAgreeWithMpfr) {
  std::mt19937_64 random(1);
  const auto integer = [&] { return static_cast<std::int64_t>(random() % 2001) - 1000; };
  for (int i = 0; i < 3000; ++i) {
    const Rational a = Rational(integer()) / 7, b = Rational(integer()) / 3;
    const Rational q = Rational(static_cast<std::int64_t>(random() % 50)) / 2;
    const Exact x = Exact(a) + Exact(b) * Exact::square_root(q);
    ASSERT_EQ(sign_by_mpfr(a.to_string(), b.to_string(), q.to_string()), x.sign()) << x.to_string();
  }
}

TEST(Exact, Compares) {
  EXPECT_LT(root(2), Exact(Rational(3) / 2));
  EXPECT_GT(root(2), Exact(Rational(7) / 5));
  EXPECT_LT(-root(2), root(2));
}

TEST(Exact, Prints) {
  EXPECT_EQ("33/16", Exact(Rational(33) / 16).to_string());
  EXPECT_EQ("1·√(2)", root(2).to_string());
  EXPECT_EQ("3/5 + -1/2·√(7)", (Exact(Rational(3) / 5) - root(7) / Exact(2)).to_string());
}

}  // namespace
}  // namespace ampcheck::reference
