// Enclosures of softmax cross-entropy whose ends are known.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reference/cross_entropy.hpp"
#include "reference/softmax_evaluation_test.hpp"

namespace ampcheck::reference {
namespace {

std::vector<Number> row(const std::vector<double>& x, const NumberFormat& f) {
  std::vector<Number> result;
  for (const double logit : x) result.push_back(number(f, logit));
  return result;
}

// The set goes from the least of what was computed, or is exact, to the greatest.
void expect_hull(const Admissible& set, std::vector<double> computed, double exact) {
  const Machine m(set.format());
  computed.push_back(m.narrow(exact));
  const auto [least, greatest] = std::minmax_element(computed.begin(), computed.end());
  EXPECT_EQ(m.bits(*least), set.lowest()) << *least << " " << set.to_string();
  EXPECT_EQ(m.bits(*greatest), set.highest()) << *greatest << " " << set.to_string();
}

// With correctly rounded functions each form has one value in a row of two: there is one addition.
void check_forms(const NumberFormat& f, double m, int rows) {
  const Machine machine(f);
  SoftmaxArithmetic arithmetic;
  arithmetic.format = &f;
  arithmetic.exp_error = arithmetic.log_error = Rational(1) / 2;
  const double scale = 3;
  for (int i = 1; i <= rows; ++i) {
    const std::vector<double> x{m, machine.narrow(m - 8.0 * i / rows)};
    const SoftmaxEvaluation forms(machine, x, 0);
    const double e = std::exp(x[1] - m);
    for (const std::size_t label : {0u, 1u}) {
      expect_hull(cross_entropy_loss(row(x, f), label, arithmetic), forms.losses(label),
                  std::log1p(e) - (x[label] - m));
      const auto g = cross_entropy_gradient(row(x, f), label, number(f, scale), arithmetic);
      const double exact[] = {(label == 0 ? -e : 1) / (1 + e), (label == 1 ? -1 : e) / (1 + e)};
      for (const std::size_t k : {0u, 1u})
        expect_hull(g[k], forms.gradients(k, label, scale), exact[k] * scale);
    }
  }
}

TEST(CrossEntropyBorders, OfTwoLogitsAreThoseOfTheForms) {
  for (const double m : {0.0, 3.0}) {
    check_forms(binary16, m, 60);
    check_forms(bfloat16, m, 30);
  }
}

// exp(d) lies some units above 2^-126. With an error of that many the computed one is no less than
// the smallest normal number, which is not flushed; with one more it may be.
TEST(CrossEntropyBorders, OfFlushingAreTheSmallestNormalNumber) {
  const float d = std::nextafter(static_cast<float>(-126 * std::log(2.0)), 0.0f);
  const auto units = static_cast<std::int64_t>(
      std::ceil(std::ldexp(std::exp(static_cast<double>(d)), 149) - 0x1p23));
  ASSERT_GT(units, 0);
  SoftmaxArithmetic arithmetic;
  arithmetic.may_flush = true;
  const auto of_error = [&](std::int64_t error) {
    arithmetic.exp_error = error;
    return cross_entropy_gradient(row({0, d}, binary32), 0, number(binary32, 1), arithmetic)[1];
  };
  EXPECT_EQ(number(binary32, 0x1p-126).bits, of_error(units).lowest());
  EXPECT_TRUE(of_error(units + 1).contains(0));
}

// A logarithm is 0 where the sum is 1, and else at least 2^(p-1) of its own units, p = 8 in
// bfloat16: an error of so many leaves its sign, one more need not.
TEST(CrossEntropyBorders, OfALossAreZeroWhereNoErrorReachesIt) {
  SoftmaxArithmetic arithmetic;
  arithmetic.format = &bfloat16;
  const auto loss = [&](const std::vector<double>& x, int exp_error, int log_error) {
    arithmetic.exp_error = Rational(exp_error) / 2;
    arithmetic.log_error = log_error;
    return cross_entropy_loss(row(x, bfloat16), 0, arithmetic);
  };
  // e = exp(-5.53125) is 129.8·2^-15, half a unit of 1 is 128·2^-15: s is 1 or 1 + 2^-7.
  for (const int log_error : {1, 128}) EXPECT_EQ(0u, loss({0, -5.53125}, 8, log_error).lowest());
  // exp(-169/512) is 184.03·2^-8, and s = 2.71875 is the float above Euler's number: log(s)
  // = 1.0002 less 129·2^-7 is -0.0076.
  const Admissible beyond = loss({0, 0, -169.0 / 512}, 1, 129);
  EXPECT_TRUE(beyond.contains(number(bfloat16, -0.0075).bits));
  EXPECT_FALSE(beyond.contains(number(bfloat16, -0.0078).bits));
}

}  // namespace
}  // namespace ampcheck::reference
