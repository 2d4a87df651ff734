// How near the covered forms of softmax cross-entropy come to the ends of their enclosures.
#include "reference/cross_entropy.hpp"
#include "reference/hill_climbing_test.hpp"
#include "reference/softmax_evaluation_test.hpp"

namespace ampcheck::reference {
namespace {

// The library is far better than one unit in the last place, and here declares half of one and a
// hundredth.
SoftmaxArithmetic arithmetic_of(const NumberFormat& f) {
  SoftmaxArithmetic arithmetic;
  arithmetic.format = &f;
  arithmetic.exp_error = arithmetic.log_error = Rational(51) / 100;
  return arithmetic;
}

std::vector<Number> logits_of(const Patterns& bits, const NumberFormat& f) {
  std::vector<Number> logits;
  for (const std::uint64_t x : bits) logits.push_back({&f, x});
  return logits;
}

// Exact values in double, which is good enough where a unit in the last place is 2^29 times as
// large.
struct InDouble {
  std::vector<double> x;
  double largest = 0, sum = 0;
  explicit InDouble(const std::vector<Number>& logits) {
    for (const Number& logit : logits) x.push_back(as_double(logit));
    largest = *std::max_element(x.begin(), x.end());
    for (const double logit : x) sum += std::exp(logit - largest);
  }
  double loss(std::size_t label) const { return std::log(sum) - (x[label] - largest); }
  double share(std::size_t i) const { return std::exp(x[i] - largest) / sum; }
};

void check(const NumberFormat& f, int steps) {
  const Machine m(f);
  const SoftmaxArithmetic arithmetic = arithmetic_of(f);
  const double scale = m.narrow(1000);
  const Patterns start{number(f, 1).bits, number(f, 0.3).bits, number(f, -0.7).bits,
                       number(f, 0.9).bits};
  // Far apart, logits have a difference whose rounding alone moves an exponential by many units;
  // close together, it is the errors of the functions, of the sum and of the quotient that count.
  const auto small = [](const InDouble& exact) {
    return std::all_of(exact.x.begin(), exact.x.end(),
                       [](double logit) { return std::fabs(logit) <= 2; });
  };
  const double of_loss = climb(start, f, steps, [&](const Patterns& bits) {
    const std::vector<Number> logits = logits_of(bits, f);
    const InDouble exact(logits);
    if (!small(exact)) return 0.0;
    const Admissible set = cross_entropy_loss(logits, 1, arithmetic);
    double best = 0;
    for (int order = 0; order < kOrders; ++order)
      for (const double computed : SoftmaxEvaluation(m, exact.x, order).losses(1))
        best = std::max(best, reached(set, rational(exact.loss(1)), computed));
    return best;
  });
  expect_reached("loss_" + std::string(f.name), of_loss);
  for (const std::size_t i : {0u, 1u}) {  // the label is 1
    const double of_gradient = climb(start, f, steps, [&](const Patterns& bits) {
      const std::vector<Number> logits = logits_of(bits, f);
      const InDouble exact(logits);
      if (!small(exact)) return 0.0;
      const Admissible set = cross_entropy_gradient(logits, 1, number(f, scale), arithmetic)[i];
      const double gradient = (i == 1 ? exact.share(i) - 1 : exact.share(i)) * scale;
      double best = 0;
      for (int order = 0; order < kOrders; ++order)
        for (const double computed : SoftmaxEvaluation(m, exact.x, order).gradients(i, 1, scale))
          best = std::max(best, reached(set, rational(gradient), computed));
      return best;
    });
    expect_reached((i == 1 ? "gradient_of_label_" : "gradient_") + std::string(f.name),
                   of_gradient);
  }
}

TEST(Tightness, OfCrossEntropyInBinary32) { check(binary32, 300); }
TEST(Tightness, OfCrossEntropyInBinary16) { check(binary16, 300); }
TEST(Tightness, OfCrossEntropyInBfloat16) { check(bfloat16, 300); }

}  // namespace
}  // namespace ampcheck::reference
