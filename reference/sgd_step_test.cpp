#include "reference/sgd_step.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "reference/emulation_test.hpp"
#include "reference/share_test.hpp"

namespace ampcheck::reference {
namespace {

Hyper hyper(double lr, double momentum = 0, double dampening = 0, double decay = 0) {
  return {{"lr", number(binary64, lr)},
          {"momentum", number(binary64, momentum)},
          {"dampening", number(binary64, dampening)},
          {"weight_decay", number(binary64, decay)}};
}

Policy stepping(StepArithmetic arithmetic) {
  Policy policy;
  policy.step_arithmetic = arithmetic;
  return policy;
}

Admissible one(const NumberFormat& f, double x) { return Admissible::of(number(f, x)); }

// An emulated SGD: each operation in `wide` and, as torch's kernels do, kept in the parameter's
// format; or, with `keeps_wide`, all of it in the wide format until the parameter is stored.
struct Emulated {
  const Machine& wide;
  const Machine& narrow;
  bool fused, keeps_wide;

  double kept(double x) const { return keeps_wide ? x : narrow.narrow(x); }
  double multiply_add(double c, double a, double b) const {
    return kept(fused ? wide.fma(a, b, c) : wide.add(c, wide.multiply(a, b)));
  }
  // Moves the momentum on and returns the parameter.
  double step(double p, double g, double& b, bool first, double lr, double mu, double tau,
              double lambda) const {
    const double d = lambda == 0 ? g : multiply_add(g, wide.narrow(lambda), p);
    double direction = d;
    if (mu != 0) {
      if (!first)
        b = multiply_add(kept(wide.multiply(b, wide.narrow(mu))), wide.narrow(1 - tau), d);
      if (first) b = d;
      direction = b;
    }
    return narrow.narrow(multiply_add(p, -wide.narrow(lr), direction));
  }
};

void check_sgd(const NumberFormat& f) {
  std::mt19937_64 random(3);
  const Machine wide(wider(f, binary32)), narrow(f);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  for (int i = 0; i < 400 / kShare; ++i) {
    const bool fused = random() % 2, keeps_wide = random() % 2;
    const Emulated emulated{wide, narrow, fused, keeps_wide};
    const double lr = uniform() / 8, mu = random() % 3 ? uniform() : 0,
                 tau = random() % 2 ? uniform() : 0, lambda = random() % 2 ? uniform() / 16 : 0;
    double p = narrow.narrow(uniform() - 0.5), b = 0;
    std::optional<Admissible> momentum;
    for (int step = 0; step < 3; ++step) {
      const double g = narrow.narrow(uniform() - 0.5);
      const SgdResult result =
          sgd_step(Admissible::of(number(f, p)), one(f, g), momentum, hyper(lr, mu, tau, lambda),
                   stepping(fused ? StepArithmetic::fused : StepArithmetic::separate));
      p = emulated.step(p, g, b, step == 0, lr, mu, tau, lambda);
      ASSERT_TRUE(result.parameter.contains(narrow.bits(p)))
          << i << " step " << step << (fused ? " fused " : " separate ") << keeps_wide << ": " << p
          << " not in " << result.parameter.to_string();
      ASSERT_EQ(mu != 0, result.momentum.has_value());
      if (mu == 0) continue;
      ASSERT_TRUE(result.momentum->contains(wide.bits(b))) << i << result.momentum->to_string();
      momentum = result.momentum;
    }
  }
}

TEST(SgdStep, HoldsEveryArithmeticInBinary32) { check_sgd(binary32); }
TEST(SgdStep, HoldsEveryArithmeticInBfloat16) { check_sgd(bfloat16); }
TEST(SgdStep, HoldsEveryArithmeticInBinary16) { check_sgd(binary16); }
TEST(SgdStep, HoldsEveryArithmeticInBinary64) { check_sgd(binary64); }

TEST(SgdStep, IsOnePatternWhereNothingRounds) {
  for (const NumberFormat* f : {&binary16, &bfloat16, &binary32, &binary64}) {
    const SgdResult result = sgd_step(one(*f, 0), one(*f, 3), std::nullopt, hyper(0x1p-3),
                                      stepping(StepArithmetic::either));
    EXPECT_EQ(number(*f, -0.375).bits, result.parameter.single());
    EXPECT_FALSE(result.momentum.has_value());
  }
}

TEST(SgdStep, TellsFusedFromSeparate) {
  // golden/innocent/A14: p = lr·g with lr 0.1, g 3.3: separate 0, fused 1.296e-8.
  const double g = 3.3f, lr = 0.1f, p = static_cast<float>(lr * g);
  const auto set = [&](StepArithmetic arithmetic) {
    return sgd_step(one(binary32, p), one(binary32, g), std::nullopt,
                    {{"lr", number(binary32, lr)}}, stepping(arithmetic))
        .parameter;
  };
  const std::uint64_t fused =
      number(binary32,
             std::fma(-static_cast<float>(lr), static_cast<float>(g), static_cast<float>(p)))
          .bits;
  EXPECT_NEAR(1.296e-8, std::fabs(as_double({&binary32, fused})), 1e-11);
  EXPECT_TRUE(set(StepArithmetic::separate).contains(0));
  // Separate operations, of binary64.
  EXPECT_TRUE(set(StepArithmetic::separate).contains(fused));
  EXPECT_TRUE(set(StepArithmetic::fused).contains(fused));
  EXPECT_FALSE(set(StepArithmetic::fused).contains(0));
  EXPECT_TRUE(set(StepArithmetic::either).contains(0));
}

TEST(SgdStep, LeavesOutWhatIsWrong) {
  const Hyper settings = hyper(0.1, 0.9, 0, 0.01);
  const Policy policy = stepping(StepArithmetic::either);
  const Admissible right =
      sgd_step(one(binary32, 1), one(binary32, 0.7), one(binary32, 0.3), settings, policy)
          .parameter;
  EXPECT_LE(right.patterns().size(), 8u);
  const double d = 0.7 + 0.01, b = 0.9 * 0.3 + d;
  EXPECT_TRUE(right.contains(number(binary32, 1 - 0.1 * b).bits));
  for (const double wrong : {1 - 0.1 * d, 1 + 0.1 * b, 1 - 0.1 * (0.9 * 0.3 + 0.7),
                             1 - 0.1 * (0.9 * 0.3 + 0.1 * d), 1 - 0.1 * 2 * b, 1.0})
    EXPECT_FALSE(right.contains(number(binary32, wrong).bits)) << wrong;
}

TEST(SgdStep, OfIntervalsHoldsEveryNumberInThem) {
  const Machine m(binary32);
  const std::uint64_t low = m.bits(0.7), high = low + 40;
  const Admissible interval = Admissible::between(binary32, low, high);
  const Hyper settings = hyper(0.5, 0.9);
  const SgdResult by_gradient =
      sgd_step(one(binary32, 1), interval, one(binary32, 0.25), settings, {});
  const SgdResult by_momentum =
      sgd_step(one(binary32, 1), one(binary32, 0.25), interval, settings, {});
  for (std::uint64_t bits = low; bits <= high; ++bits) {
    const double x = as_double({&binary32, bits}), mu = m.narrow(0.9);
    const double b1 = m.add(m.multiply(mu, 0.25), x), b2 = m.add(m.multiply(mu, x), 0.25);
    ASSERT_TRUE(by_gradient.parameter.contains(m.bits(m.add(1, -m.multiply(0.5, b1)))));
    ASSERT_TRUE(by_gradient.momentum->contains(m.bits(b1)));
    ASSERT_TRUE(by_momentum.parameter.contains(m.bits(m.add(1, -m.multiply(0.5, b2)))));
    ASSERT_TRUE(by_momentum.momentum->contains(m.bits(b2)));
  }
}

TEST(SgdStep, OfAnIntervalOfParametersIsAnInterval) {
  const Admissible parameter =
      Admissible::between(binary32, number(binary32, 1).bits, number(binary32, 2).bits);
  const SgdResult result =
      sgd_step(parameter, one(binary32, 1), one(binary32, 1), hyper(0.25, 0.5), {});
  EXPECT_TRUE(result.parameter.contains(number(binary32, 1.125).bits));
  EXPECT_EQ(number(binary32, 1.5).bits, result.momentum->single());
}

TEST(SgdStep, OfAStateThatMayBeInfiniteIsNotJudged) {
  const Admissible infinite = Admissible::of(binary32, binary32.infinity());
  const auto holds_anything = [](const SgdResult& result) {
    return result.parameter.contains(number(binary32, 1e9).bits) &&
           result.momentum->contains(number(binary32, -1e9).bits);
  };
  EXPECT_TRUE(
      holds_anything(sgd_step(one(binary32, 0), one(binary32, 1), infinite, hyper(1, 0.5), {})));
  EXPECT_TRUE(
      holds_anything(sgd_step(infinite, one(binary32, 1), one(binary32, 0), hyper(1, 0.5), {})));
}

// A step that was taken had finite gradients, whatever the set says.
TEST(SgdStep, OfAGradientThatMightHaveOverflowed) {
  const Admissible gradient = Admissible::between(binary16, 0x7b00, 0x7c00);
  const Admissible set =
      sgd_step(one(binary16, 0), gradient, std::nullopt, hyper(0x1p-10), {}).parameter;
  EXPECT_TRUE(set.contains(number(binary16, -65504.0 / 1024).bits));
  EXPECT_TRUE(set.contains(number(binary16, -61000.0 / 1024).bits));
  EXPECT_FALSE(set.may_be_non_finite());
}

// golden/innocent/A1: a finite gradient whose own step overflows.
TEST(SgdStep, MayOverflowByItself) {
  const Admissible set =
      sgd_step(one(binary32, 0), one(binary32, 0x1p127), std::nullopt, hyper(8), {}).parameter;
  EXPECT_TRUE(set.contains(0xff800000));
  const SgdResult momentum = sgd_step(one(binary32, 0), one(binary32, 0x1.8p127),
                                      one(binary32, 0x1.8p127), hyper(0x1p-10, 1), {});
  EXPECT_TRUE(momentum.momentum->contains(binary32.infinity()));
  EXPECT_TRUE(momentum.parameter.contains(0xff800000));
}

TEST(SgdStep, MayFlush) {
  Policy policy;
  policy.may_flush = true;
  const double p = 0x1.8p-126, g = 0x1p-127;
  const auto set = [&](const Policy& with) {
    return sgd_step(one(binary32, p), one(binary32, g), std::nullopt, hyper(1), with).parameter;
  };
  EXPECT_EQ(number(binary32, 0x1p-126).bits, set({}).single());
  EXPECT_TRUE(set(policy).contains(number(binary32, p).bits));
  EXPECT_TRUE(set(policy).contains(number(binary32, 0x1p-126).bits));
  // A parameter that is subnormal itself.
  const Admissible gone =
      sgd_step(one(binary32, g), one(binary32, p), std::nullopt, hyper(1), policy).parameter;
  EXPECT_TRUE(gone.contains(number(binary32, -p).bits));
  EXPECT_TRUE(gone.contains(number(binary32, g - p).bits));
}

// torch's nesterov, by hand: d = 1, b = 1/2·4 + 1 = 3, p = 8 - 1/4·(1 + 1/2·3).
TEST(SgdStep, LooksAheadWithNesterov) {
  Hyper settings = hyper(0.25, 0.5);
  settings["nesterov"] = number(binary32, 1);
  const SgdResult later = sgd_step(one(binary32, 8), one(binary32, 1), one(binary32, 4), settings,
                                   stepping(StepArithmetic::either));
  EXPECT_EQ(number(binary32, 8 - 0.25 * 2.5).bits, later.parameter.single());
  EXPECT_EQ(number(binary32, 3).bits, later.momentum->single());
  const SgdResult first =
      sgd_step(one(binary32, 8), one(binary32, 1), {}, settings, stepping(StepArithmetic::either));
  EXPECT_EQ(number(binary32, 8 - 0.25 * 1.5).bits, first.parameter.single());
  EXPECT_EQ(number(binary32, 1).bits, first.momentum->single());
}

// Every operation rounded, with settings that round: inside, and seldom the only pattern.
TEST(SgdStep, HoldsRoundedNesterovSteps) {
  std::mt19937_64 random(9);
  const Machine m(binary32);
  const auto uniform = [&] { return m.narrow(static_cast<double>(random() >> 11) * 0x1p-53); };
  Hyper settings = hyper(0.1, 0.9, 0.3, 0.01);
  settings["nesterov"] = number(binary32, 1);
  for (int i = 0; i < 200; ++i) {
    const double p = uniform(), g = uniform(), b = uniform();
    const double d = m.add(g, m.multiply(m.narrow(0.01), p));
    const double next = m.add(m.multiply(m.narrow(0.9), b), m.multiply(m.narrow(1 - 0.3), d));
    const double ahead = m.add(d, m.multiply(m.narrow(0.9), next));
    const double moved = m.add(p, -m.multiply(m.narrow(0.1), ahead));
    const SgdResult set = sgd_step(one(binary32, p), one(binary32, g), one(binary32, b), settings,
                                   stepping(StepArithmetic::separate));
    EXPECT_TRUE(set.parameter.contains(m.bits(moved))) << i;
    EXPECT_TRUE(set.momentum->contains(m.bits(next))) << i;
    EXPECT_FALSE(set.parameter.contains(m.bits(m.add(p, -m.multiply(m.narrow(0.1), next)))));
  }
}

}  // namespace
}  // namespace ampcheck::reference
