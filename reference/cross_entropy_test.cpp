#include "reference/cross_entropy.hpp"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <random>

#include "reference/softmax_evaluation_test.hpp"

namespace ampcheck::reference {
namespace {

std::vector<Number> row(const std::vector<double>& x, const NumberFormat& f = binary32) {
  std::vector<Number> result;
  for (const double logit : x) result.push_back(number(f, logit));
  return result;
}

Admissible loss(const std::vector<double>& x, std::size_t label,
                const SoftmaxArithmetic& arithmetic = {}) {
  return cross_entropy_loss(row(x), label, arithmetic);
}

std::vector<Admissible> gradient(const std::vector<double>& x, std::size_t label, double scale = 1,
                                 const SoftmaxArithmetic& arithmetic = {}) {
  return cross_entropy_gradient(row(x), label, number(binary32, scale), arithmetic);
}

TEST(CrossEntropy, HasTypedErrors) {
  EXPECT_THROW(loss({}, 0), EmptyRow);
  EXPECT_THROW(gradient({}, 0), EmptyRow);
  EXPECT_THROW(loss({1, 2}, 2), LabelOutsideRow);
  for (const bool is_exp : {true, false}) {
    SoftmaxArithmetic arithmetic;
    Rational& error = is_exp ? arithmetic.exp_error : arithmetic.log_error;
    error = Rational(1) / 2;
    EXPECT_NO_THROW(loss({1, 2}, 0, arithmetic));
    error = Rational(49) / 100;
    EXPECT_THROW(loss({1, 2}, 0, arithmetic), std::invalid_argument);
  }
}

TEST(CrossEntropy, OfOneLogitIsZero) {
  EXPECT_EQ(0u, loss({3}, 0).single());
  EXPECT_EQ(0u, gradient({3}, 0)[0].single());
}

// Powers of two and correctly rounded functions: p = 1/4 exactly.
TEST(CrossEntropy, OfEqualLogitsIsNearlyOnePattern) {
  const std::vector<Admissible> g = gradient({5, 5, 5, 5}, 2, 1024);
  EXPECT_TRUE(g[0].contains(number(binary32, 256).bits));
  EXPECT_TRUE(g[2].contains(number(binary32, -768).bits));
  EXPECT_FALSE(g[2].contains(number(binary32, -767).bits));
  EXPECT_TRUE(loss({5, 5, 5, 5}, 1).contains(number(binary32, std::log(4.0)).bits));
}

TEST(CrossEntropy, OfInfiniteLogits) {
  const double inf = HUGE_VAL, nan = std::nan("");
  EXPECT_EQ(0x7f800000u, loss({1, -inf}, 1).single());
  EXPECT_TRUE(loss({1, -inf}, 0).is_single() && loss({1, -inf}, 0).contains(0));
  EXPECT_EQ(0u, gradient({1, -inf, 2}, 0)[1].single());
  EXPECT_EQ(number(binary32, -8).bits, gradient({1, -inf, 2}, 1, 8)[1].single());
  for (const std::vector<double>& bad :
       {std::vector<double>{1, nan}, {1, inf}, {-inf, -inf}, {-inf}}) {
    EXPECT_FALSE(loss(bad, 0).has_ends());
    EXPECT_TRUE(loss(bad, 0).contains(0x7fc00000));
    EXPECT_FALSE(gradient(bad, 0)[0].has_ends());
  }
}

TEST(CrossEntropy, OfLogitsWhoseDifferenceOverflows) {
  EXPECT_EQ(0x7f800000u, loss({3e38, -3e38}, 1).single());
  EXPECT_EQ(0u, loss({3e38, -3e38}, 0).single());
  EXPECT_TRUE(gradient({3e38, -3e38}, 1)[1].contains(number(binary32, -1).bits));
}

TEST(CrossEntropy, OfAnInfiniteScaleIsNotFinite) {
  EXPECT_FALSE(gradient({1, 2}, 0, HUGE_VAL)[0].may_be_finite());
}

TEST(CrossEntropy, MayFlushSmallProbabilities) {
  SoftmaxArithmetic flushes;
  EXPECT_FALSE(gradient({0, -88}, 0)[1].contains(0));
  flushes.may_flush = true;
  EXPECT_TRUE(gradient({0, -88}, 0, 1, flushes)[1].contains(0));
  EXPECT_TRUE(gradient({0, -88}, 0, 0x1p30, flushes)[1].contains(0));
  // exp(-87) is normal, and subnormal once it is divided by 2.
  EXPECT_FALSE(gradient({0, 0, -87}, 0, 0x1p30)[2].contains(0));
  EXPECT_TRUE(gradient({0, 0, -87}, 0, 0x1p30, flushes)[2].contains(0));
}

// ---- a second oracle: MPFR with 200 bits and without the maximum, which its range does not need

class ByMpfr {
 public:
  ByMpfr() { mpfr_inits2(200, x_, sum_, other_, static_cast<mpfr_ptr>(nullptr)); }
  ~ByMpfr() { mpfr_clears(x_, sum_, other_, static_cast<mpfr_ptr>(nullptr)); }
  ByMpfr(const ByMpfr&) = delete;
  ByMpfr& operator=(const ByMpfr&) = delete;

  // log Σ exp(x_j - x_label).
  std::uint64_t loss(const std::vector<double>& x, std::size_t label) {
    exponentials(x, label, sum_);
    mpfr_log(x_, sum_, MPFR_RNDN);
    return rounded();
  }
  // 1/Σ exp(x_j - x_i), less 1 for the label, times the scale.
  std::uint64_t gradient(const std::vector<double>& x, std::size_t i, std::size_t label,
                         double scale) {
    exponentials(x, i, sum_);
    mpfr_ui_div(other_, 1, sum_, MPFR_RNDN);
    if (i == label) mpfr_sub_ui(other_, other_, 1, MPFR_RNDN);
    mpfr_mul_d(x_, other_, scale, MPFR_RNDN);
    return rounded();
  }

 private:
  void exponentials(const std::vector<double>& x, std::size_t of, mpfr_ptr sum) {
    mpfr_set_zero(sum, 1);
    for (const double logit : x) {
      mpfr_set_d(x_, logit, MPFR_RNDN);
      mpfr_sub_d(x_, x_, x[of], MPFR_RNDN);
      mpfr_exp(x_, x_, MPFR_RNDN);
      mpfr_add(sum, sum, x_, MPFR_RNDN);
    }
  }
  std::uint64_t rounded() const {
    return std::bit_cast<std::uint32_t>(mpfr_get_flt(x_, MPFR_RNDN));
  }

  mpfr_t x_, sum_, other_;
};

std::vector<double> random_row(std::mt19937_64& random, const Machine& m) {
  const double spread = std::ldexp(1.0, static_cast<int>(random() % 9) - 2);
  std::vector<double> x(1 + random() % 20);
  for (double& logit : x)
    logit = m.narrow((static_cast<double>(random() >> 11) * 0x1p-52 - 1) * spread);
  return x;
}

TEST(CrossEntropy, HoldsTheExactValues) {
  std::mt19937_64 random(21);
  ByMpfr by_mpfr;
  for (int i = 0; i < 400; ++i) {
    const std::vector<double> x = random_row(random, Machine(binary32));
    const std::size_t label = random() % x.size();
    EXPECT_TRUE(loss(x, label).contains(by_mpfr.loss(x, label)));
    const std::vector<Admissible> g = gradient(x, label, 3);
    for (std::size_t k = 0; k < x.size(); ++k)
      EXPECT_TRUE(g[k].contains(by_mpfr.gradient(x, k, label, 3)))
          << k << " of " << x.size() << ": " << g[k].to_string();
  }
}

// Wrong formulas lie outside: another label, no division, no onehot, a mean instead of a sum.
TEST(CrossEntropy, HoldsNoFaultyRecipe) {
  const std::vector<double> x{0.5, -1.25, 2, 0.75};
  ByMpfr by_mpfr;
  EXPECT_FALSE(loss(x, 0).contains(by_mpfr.loss(x, 1)));
  EXPECT_FALSE(loss(x, 0).contains(number(binary32, std::log(std::exp(0.5) + 1)).bits));
  const std::vector<Admissible> g = gradient(x, 0, 8);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_FALSE(g[k].contains(by_mpfr.gradient(x, k, k == 0 ? 1 : k, 8)));
    EXPECT_FALSE(g[k].contains(by_mpfr.gradient(x, k, 0, 2)));
  }
}

// ---- every covered form, in several orders, by the machine's own arithmetic and library

void check_evaluations(const NumberFormat& f, int rows) {
  std::mt19937_64 random(22);
  const Machine m(f);
  SoftmaxArithmetic arithmetic;
  arithmetic.format = &f;
  for (int i = 0; i < rows; ++i) {
    const std::vector<double> x = random_row(random, m);
    const std::size_t label = random() % x.size();
    const double scale = m.narrow(i % 2 ? 1024 : 2.7);
    const Admissible losses = cross_entropy_loss(row(x, f), label, arithmetic);
    const std::vector<Admissible> gradients =
        cross_entropy_gradient(row(x, f), label, number(f, scale), arithmetic);
    for (int order = 0; order < kOrders; ++order) {
      const SoftmaxEvaluation softmax(m, x, order);
      for (const double computed : softmax.losses(label))
        ASSERT_TRUE(losses.contains(m.bits(computed))) << losses.to_string();
      for (std::size_t k = 0; k < x.size(); ++k)
        for (const double computed : softmax.gradients(k, label, scale))
          ASSERT_TRUE(gradients[k].contains(m.bits(computed)))
              << computed << " not in " << gradients[k].to_string();
    }
  }
}

TEST(CrossEntropy, HoldsEveryEvaluationInBinary32) { check_evaluations(binary32, 300); }
TEST(CrossEntropy, HoldsEveryEvaluationInShortFormats) {
  check_evaluations(binary16, 150);
  check_evaluations(bfloat16, 150);
}

}  // namespace
}  // namespace ampcheck::reference
