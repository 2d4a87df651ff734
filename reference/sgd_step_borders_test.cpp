// Steps of SGD whose sets are known pattern by pattern.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/emulation_test.hpp"
#include "reference/sgd_step.hpp"

namespace ampcheck::reference {
namespace {

using testing::UnorderedElementsAre;

Admissible one(const NumberFormat& f, double x) { return Admissible::of(number(f, x)); }

struct Settings {
  double lr = 1, momentum = 0, decay = 0;

  Hyper hyper() const {
    return {{"lr", number(binary64, lr)},
            {"momentum", number(binary64, momentum)},
            {"weight_decay", number(binary64, decay)}};
  }
};

// The numbers of the set after a step.
std::vector<double> after(const SgdResult& result) {
  std::vector<double> values;
  EXPECT_FALSE(result.parameter.is_interval());
  for (const std::uint64_t bits : result.parameter.patterns())
    values.push_back(as_double({&result.parameter.format(), bits}));
  return values;
}

std::vector<double> after(const NumberFormat& f, double p, double g, const Settings& settings,
                          const Policy& policy = {}) {
  return after(sgd_step(one(f, p), one(f, g), std::nullopt, settings.hyper(), policy));
}

// What is subnormal in the parameter's own format may be flushed, going in or coming out, although
// the step is computed in binary32, where it is normal.
TEST(SgdStepBorders, MayFlushSubnormalsOfTheParameter) {
  Policy flushing;
  flushing.may_flush = true;
  EXPECT_THAT(after(binary16, 0, 0x1p-15, {}), UnorderedElementsAre(-0x1p-15));
  EXPECT_THAT(after(binary16, 0, 0x1p-15, {}, flushing), UnorderedElementsAre(0, -0x1p-15));
  EXPECT_THAT(after(binary16, 0, 0x1p-14, {}, flushing), UnorderedElementsAre(-0x1p-14));
  EXPECT_THAT(after(binary16, 0x1p-15, 0x1p-13, {}, flushing),
              UnorderedElementsAre(-0x1p-13, -0x1.8p-14));
}

// d = 1 + 8/2 = 5.
TEST(SgdStepBorders, DecaysTowardsZero) {
  EXPECT_THAT(after(binary32, 8, 1, {.lr = 0.25, .decay = 0.5}), UnorderedElementsAre(6.75));
}

// lr·g = 1 + 2^-9 is 1 in bfloat16.
TEST(SgdStepBorders, KeepsAProductInEitherFormat) {
  EXPECT_THAT(after(bfloat16, 1, 1, {.lr = 1 + 0x1p-9}), UnorderedElementsAre(0, -0x1p-9));
}

// lr·g = 99968 is beyond binary16, 65504 - 99968 is not. A product may overflow on its way only
// where gradients, too, are declared to be kept in the parameter's format.
TEST(SgdStepBorders, OverflowsInTheParametersFormatWhereSoDeclared) {
  Policy narrow;
  narrow.narrow_accumulator = true;
  EXPECT_THAT(after(binary16, 65504, 49984, {.lr = 2}), UnorderedElementsAre(-34464));
  EXPECT_THAT(after(binary16, 65504, 49984, {.lr = 2}, narrow),
              UnorderedElementsAre(-34464, -INFINITY));
}

Policy flushing(StepArithmetic arithmetic = StepArithmetic::separate) {
  Policy policy;
  policy.may_flush = true;
  policy.step_arithmetic = arithmetic;
  return policy;
}

// In binary32 a subnormal setting, gradient, product or result may be 0; what is normal may not.
TEST(SgdStepBorders, FlushesOperandsAndResults) {
  const double p = 0x1p-120;
  const StepArithmetic separate = StepArithmetic::separate, fused = StepArithmetic::fused;
  for (const StepArithmetic arithmetic : {separate, fused}) {
    const Policy flush = flushing(arithmetic);
    // lr, and g.
    EXPECT_THAT(after(binary32, p, 1024, {.lr = 0x1p-130}, flush), UnorderedElementsAre(0, p));
    EXPECT_THAT(after(binary32, p, 0x1p-130, {.lr = 1024}, flush), UnorderedElementsAre(0, p));
    // p - lr·g.
    EXPECT_THAT(after(binary32, 0x1.8p-126, 0x1p-126, {}, flush),
                UnorderedElementsAre(0, 0x1p-127));
    // The smallest normal number as an operand and as a result.
    EXPECT_THAT(after(binary32, 0x1p-125, 0x1p-126, {}, flush), UnorderedElementsAre(0x1p-126));
    EXPECT_THAT(after(binary32, p, 0, {}, flush), UnorderedElementsAre(p));
  }
  // lr·g, which a fused multiply-add does not round.
  EXPECT_THAT(after(binary32, 0x1p-125, 0x1p-65, {.lr = 0x1p-63}, flushing(separate)),
              UnorderedElementsAre(0x1p-125, 0x1p-125 - 0x1p-128));
  EXPECT_THAT(after(binary32, 0x1p-125, 0x1p-65, {.lr = 0x1p-63}, flushing(fused)),
              UnorderedElementsAre(0x1p-125 - 0x1p-128));
}

// Flushed or not, each by itself: p = 2^-130, lr·g = 2^-140 and their difference.
TEST(SgdStepBorders, FlushesEveryOperationByItself) {
  const double p = 0x1p-130, product = 0x1p-140;
  EXPECT_THAT(after(binary32, p, 0x1p-70, {.lr = 0x1p-70}, flushing()),
              UnorderedElementsAre(0, p, p - product, -product));
}

// d = g + p = 2^-127, of which lr makes a normal number, and so it does of a subnormal buffer. With
// momentum b = 2·2^-127.
TEST(SgdStepBorders, FlushesADirection) {
  const double p = -0x1p-126;
  EXPECT_THAT(after(binary32, p, 0x1.8p-126, {.lr = 1024, .decay = 1}, flushing()),
              UnorderedElementsAre(p, p - 0x1p-117));
  EXPECT_THAT(after(sgd_step(one(binary32, 1), one(binary32, 0), one(binary32, 0x1p-127),
                             Settings{.lr = 0x1p120, .momentum = 2}.hyper(), flushing())),
              UnorderedElementsAre(1, 1 - 0x1p-6));
}

// With q = 2^-23, mu = b = 1 + q and g = q/2 the new buffer is 1 + 2.5q + q². In binary32 mu·b is
// 1 + 2q, and with g a tie that goes there, too. In binary64 it is more than that tie: 1 + 2.5q +
// q², or 1 + 3q once it is stored in binary32. In bfloat16 mu·b is 1, and so is the buffer. Each
// leaves its own step from 1, and nothing between them is a step.
TEST(SgdStepBorders, GoesOnWithABufferAsComputedOrAsStored) {
  const double q = 0x1p-23;
  const SgdResult result = sgd_step(one(bfloat16, 1), one(bfloat16, q / 2), one(binary32, 1 + q),
                                    Settings{.momentum = 1 + q}.hyper(), {});
  // -1.5q: the momentum is 1 in bfloat16.
  EXPECT_THAT(after(result), UnorderedElementsAre(0, -q / 2, -1.5 * q, -2 * q, -2.5 * q, -3 * q));
  EXPECT_FALSE(result.momentum->is_interval());
}

// b = 2^127 + 2^127 overflows in binary32, not in binary64, where the step is 2^128·lr.
TEST(SgdStepBorders, OfABufferThatOverflows) {
  const auto step = [](double lr) {
    return sgd_step(one(binary32, 1), one(binary32, 0x1p127), one(binary32, 0x1p127),
                    Settings{.lr = lr, .momentum = 1}.hyper(), {})
        .parameter;
  };
  const std::uint64_t plus = binary32.infinity(), minus = plus | binary32.sign_bit();
  EXPECT_TRUE(step(0x1p-10).contains(minus) && !step(0x1p-10).contains(plus));
  EXPECT_TRUE(step(-0x1p-10).contains(plus) && !step(-0x1p-10).contains(minus));
  EXPECT_FALSE(step(0x1p-10).contains(binary32.nan()));
  // 0·inf.
  EXPECT_TRUE(step(0).contains(binary32.nan()) && step(0).contains(number(binary32, 1).bits));
  EXPECT_FALSE(step(0).contains(plus) || step(0).contains(minus));
}

// g + lambda·p = 2^127 + 2^127 is inf in binary32. From then on that is what becomes of it: inf in
// a buffer that holds 1, and of nothing of it NaN. In binary64 nothing overflows.
TEST(SgdStepBorders, OfADirectionThatOverflows) {
  const auto step = [](double dampening, double nesterov) {
    Hyper hyper = Settings{.lr = 0x1p-10, .momentum = 0.5, .decay = 1}.hyper();
    hyper["dampening"] = number(binary64, dampening);
    hyper["nesterov"] = number(binary64, nesterov);
    return sgd_step(one(binary32, 0x1p127), one(binary32, 0x1p127), one(binary32, 1), hyper, {});
  };
  const std::uint64_t plus = binary32.infinity(), minus = plus | binary32.sign_bit();
  for (const double nesterov : {0, 1}) {
    const SgdResult result = step(0.5, nesterov);
    EXPECT_TRUE(result.momentum->contains(plus));
    EXPECT_FALSE(result.momentum->contains(binary32.nan()));
    EXPECT_TRUE(result.parameter.contains(minus));
    EXPECT_FALSE(result.parameter.contains(plus));
    EXPECT_TRUE(result.momentum->may_be_finite() && result.parameter.may_be_finite());
  }
  EXPECT_TRUE(step(1, 0).momentum->contains(binary32.nan()));
  EXPECT_TRUE(step(1, 0).parameter.contains(binary32.nan()));
  // inf + mu·NaN.
  EXPECT_TRUE(step(1, 1).parameter.contains(binary32.nan()));
  EXPECT_FALSE(step(1, 1).parameter.contains(minus));
  EXPECT_TRUE(step(2, 0).momentum->contains(minus));
  EXPECT_TRUE(step(2, 0).parameter.contains(plus));
}

// 1 - 0.1 in bfloat16 is 230/256; times 154/128 that is 1.08093…, or 1.078125 in bfloat16, and with
// 4.3125 a tie, 5.375. 0.9 in binary32 ends above it.
TEST(SgdStepBorders, RoundsTheShareOfTheGradientToTheParametersFormat) {
  Hyper hyper = Settings{.momentum = 0.5}.hyper();
  hyper["dampening"] = number(binary64, 0.1);
  const Admissible buffer =
      *sgd_step(one(bfloat16, 0), one(bfloat16, 1.203125), one(binary32, 8.625), hyper, {})
           .momentum;
  EXPECT_TRUE(buffer.contains(number(binary32, 5.375).bits)) << buffer.to_string();
  EXPECT_TRUE(buffer.contains(number(binary32, 5.40625).bits)) << buffer.to_string();
}

// Settings in binary32, arithmetic in binary64, also where the parameter is shorter than both.
TEST(SgdStepBorders, TakesSettingsOfBinary32InBinary64) {
  const double g = 1.2578125, p = -5.75, decay = 0.21;
  const double wide = g + decay * p,
               shorter = g + static_cast<double>(static_cast<float>(decay)) * p;
  ASSERT_NE(static_cast<float>(wide), static_cast<float>(shorter));
  const Admissible buffer = *sgd_step(one(bfloat16, p), one(bfloat16, g), std::nullopt,
                                      Settings{.momentum = 0.9, .decay = decay}.hyper(), {})
                                 .momentum;
  for (const double x : {wide, shorter})
    EXPECT_TRUE(buffer.contains(number(binary32, static_cast<float>(x)).bits));
}

// Nobody looks at the buffer for six steps of short weights.
TEST(SgdStepBorders, AStateThatIsNotSeenKeepsAShortList) {
  const Hyper hyper = Settings{.lr = 0.1, .momentum = 0.9, .decay = 0.01}.hyper();
  std::optional<Admissible> momentum;
  for (int i = 0; i < 6; ++i) {
    momentum =
        sgd_step(one(binary16, -0.75 + 0.1 * i), one(binary16, 2 / (i + 1.)), momentum, hyper, {})
            .momentum;
    EXPECT_LE(momentum->patterns().size(), 32u);
  }
  EXPECT_TRUE(momentum->is_interval());
}

// d = g + weight_decay·p is 2^-30 below where binary32 overflows, 2^128 - 2^103. Rounded once it is
// the largest number; in binary64 it is on the threshold, and infinite in a buffer of binary32.
TEST(SgdStepBorders, GoesOnWithWhatItsBufferHolds) {
  Policy fused;
  fused.step_arithmetic = StepArithmetic::fused;
  const Settings settings{.lr = 0x1p-40, .momentum = 0.5, .decay = 1 - 0x1p-15};
  const SgdResult result =
      sgd_step(one(binary32, 0x1.0002p103), Admissible::of(binary32, binary32.max_finite()),
               std::nullopt, settings.hyper(), fused);
  ASSERT_TRUE(result.momentum);
  for (const Admissible* set : {&*result.momentum, &result.parameter}) {
    EXPECT_TRUE(set->may_be_finite());
    EXPECT_TRUE(set->may_be_non_finite());
  }
}

}  // namespace
}  // namespace ampcheck::reference
