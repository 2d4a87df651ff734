// Ends of the sets of token_mean and token_loss: weights, and scales that are divided out again.
#include <gtest/gtest.h>

#include "reference/emulation_test.hpp"
#include "reference/error_bounds.hpp"
#include "reference/token_normalization.hpp"

namespace ampcheck::reference {
namespace {

// Two tokens that count, with their coefficients and weights, and one of coefficient 0 whose weight
// makes N a power of two.
struct Weighted {
  double c, w, other_c, other_w, rest = 0;
  const NumberFormat* format = &binary32;
  const NumberFormat* loss = &binary32;
  double s = 1;
  std::int64_t ranks = 1;

  Admissible mean(const Policy& policy = {}) const {
    std::vector<TokenTerm> terms{{number(*format, c), 1, rational(w)},
                                 {number(*format, other_c), 1, rational(other_w)}};
    if (rest != 0) terms.push_back({number(*format, 0), 1, rational(rest)});
    return token_mean(terms, {terms, binary32}, ranks, number(*loss, s), binary32, policy);
  }
};

// Each with its neighbour, in which one thing more rounds, or may.
TEST(TokenMean, OfWeightsIsOnePatternAsLongAsNothingRounds) {
  const double u = 0x1p-11, v = 0x1p-23;
  // A weight, in the format of the coefficients and in that of the loss.
  EXPECT_TRUE((Weighted{1, 1 + u, 1, 1 - u}.mean().is_single()));
  EXPECT_FALSE((Weighted{1, 1 + u, 1, 1 - u, 0, &binary16}.mean().is_single()));
  EXPECT_FALSE((Weighted{1, 1 + u, 1, 1 - u, 0, &binary32, &bfloat16}.mean().is_single()));
  EXPECT_TRUE((Weighted{1, 0x1p11, 1, 1, 0x1p11 - 1, &binary16}.mean().is_single()));
  EXPECT_FALSE((Weighted{1, 0x1p11 + 1, 1, 1, 0x1p11 - 2, &binary16}.mean().is_single()));
  // The sum without weights: 2^23 + 1, 2^24 + 1.
  EXPECT_TRUE((Weighted{0x1p23, v, 1, 1, 1 - v}.mean().is_single()));
  EXPECT_FALSE((Weighted{0x1p24, v / 2, 1, 1, 1 - v / 2}.mean().is_single()));
  // The same beyond the range.
  EXPECT_TRUE((Weighted{0x1p126, 0.5, 0x1p126, 0.5}.mean().is_single()));
  EXPECT_TRUE((Weighted{0x1p127, 0.5, 0x1p127, 0.5}.mean().may_be_non_finite()));
  // What is below the smallest number: c/N, and w·c.
  EXPECT_TRUE((Weighted{0x1p-147, 2, 0x1p-147, 2}.mean().is_single()));
  EXPECT_FALSE((Weighted{0x1p-149, 2, 0x1p-149, 2}.mean().is_single()));
  EXPECT_FALSE((Weighted{0x1p-149, 0.5, 0x1p-149, 0.5}.mean().is_single()));
  // A weight that may be flushed.
  Policy flush;
  flush.may_flush = true;
  const Weighted subnormal{1, 0x1p-127, 1, 0x1p-127}, normal{1, 0x1p-126, 1, 0x1p-126};
  EXPECT_TRUE(subnormal.mean().is_single());
  EXPECT_FALSE(subnormal.mean(flush).is_single());
  EXPECT_TRUE(normal.mean(flush).is_single());
}

// The same with a factor: s, 1/N, s/N, and each times the ranks.
TEST(TokenMean, OfWeightsIsOnePatternWhereverTheFactorComesIn) {
  const auto is_single = [](const Weighted& tokens) { return tokens.mean().is_single(); };
  const double near = 0x1p-20;
  // The smallest part of a weight, times s/2.
  EXPECT_TRUE(is_single(
      {.c = 0x1p30, .w = 1 + near, .other_c = 0x1p30, .other_w = 1 - near, .s = 0x1p-128}));
  EXPECT_FALSE(is_single(
      {.c = 0x1p30, .w = 1 + near, .other_c = 0x1p30, .other_w = 1 - near, .s = 0x1p-129}));
  // The heaviest, times s, which is 2^127, and on four ranks 2^129.
  const auto heavy = [&](double w, std::int64_t ranks) {
    return is_single(
        {.c = 0x1p-40, .w = w, .other_c = 0x1p-40, .other_w = w, .s = 0x1p30, .ranks = ranks});
  };
  EXPECT_TRUE(heavy(0x1p97, 1));
  EXPECT_FALSE(heavy(0x1p98, 1));
  EXPECT_TRUE(heavy(0x1p95, 4));
  EXPECT_FALSE(heavy(0x1p96, 4));
  // c alone, times s/N.
  const auto light = [&](double c) {
    return is_single({.c = c, .w = 0x1p30, .other_c = c, .other_w = 0x1p30, .s = 0x1p-20});
  };
  EXPECT_TRUE(light(0x1p-98));
  EXPECT_FALSE(light(0x1p-99));
  // The sum of c alone, times s.
  const auto large = [&](double c) {
    const double w = 0x1p-10;
    return is_single({.c = c, .w = w, .other_c = c, .other_w = w, .rest = 4 - 2 * w, .s = 0x1p10});
  };
  EXPECT_TRUE(large(0x1p116));
  EXPECT_FALSE(large(0x1p117));
}

// 1/N = 2^128 is inf, whatever it is multiplied with.
TEST(TokenMean, MayOverflowOverWeightsThatAreTiny) {
  EXPECT_TRUE((Weighted{1, 0x1p-129, 1, 0x1p-129}.mean().may_be_non_finite()));
  EXPECT_FALSE((Weighted{1, 0x1p-127, 1, 0x1p-127}.mean().may_be_non_finite()));
}

// The header's E for tokens of weights, coefficients in binary16 and sums in binary32; n terms, and
// k factors in a loss of binary16. The divisor is exact.
void expect_ends(const std::vector<TokenTerm>& terms, double seed, const NumberFormat& loss,
                 std::size_t k) {
  const TokenDivisor divisor(terms, binary32);
  ASSERT_TRUE(divisor.relative_error.is_zero());
  const auto n = static_cast<std::int64_t>(terms.size());
  const Rational s = rational(seed), factor = s / divisor.exact, one = 1;
  Rational sum, unweighted, lightest = terms.front().weight;
  for (const TokenTerm& term : terms) {
    unweighted += value_of(term.coefficient);
    sum += value_of(term.coefficient) * term.weight;
    lightest = min(lightest, term.weight);
  }
  const auto half_eta = [](const NumberFormat& f) {
    return Rational::power_of_two(f.min_quantum()) / 2;
  };
  Rational lost = half_eta(binary16) * n + half_eta(binary32) + half_eta(binary16) * n * factor;
  if (factor < smallest_normal(loss)) lost += half_eta(loss) * sum * 2;
  for (const NumberFormat* f : {&loss, &binary16})
    if (lightest < smallest_normal(*f) || factor * lightest < smallest_normal(*f))
      lost += half_eta(*f) * unweighted * (factor > one ? factor : one) * 2;
  const Rational relative = (one + relative_error(binary16)) *
                            (one + growth_bound(terms.size(), binary32)) *
                            (one + growth_bound(k, loss));
  const Rational mean = sum * factor, error = (relative - 1) * mean + lost * relative;
  const Admissible set = token_mean(terms, divisor, 1, number(loss, seed), binary32, {});
  EXPECT_EQ(round_to(mean - error, binary32), set.lowest()) << seed << " " << k;
  EXPECT_EQ(round_to(mean + error, binary32), set.highest()) << seed << " " << k;
}

TEST(TokenMean, OfWeightsReachesAsFarAsItsBoundSays) {
  const auto term = [](double c, double weight) {
    return TokenTerm{number(binary16, c), 1, rational(weight)};
  };
  // RN(w), and its product; N = 3 and s/N, or N = 4. Then what underflows begins to count.
  for (const NumberFormat* loss : {&binary16, &binary32}) {
    const double unit = 1 + 0x1p-12;  // no number of binary16
    for (const double size : {1.0, 0x1p-8, 0x1p-14}) {
      const std::vector<TokenTerm> three{term(size, unit), term(size * 1.5, 2 - 0x1p-12)},
          four{term(size, unit), term(size * 1.5, 3 - 0x1p-12)},
          tiny{term(size, 0x1p-15), term(size * 1.5, 4 - 0x1p-15)},
          smallest{term(size, 0x1p-14), term(size * 1.5, 4 - 0x1p-14)},
          tiny_three{term(size, 0x1.8p-15), term(size * 1.5, 3 - 0x1.8p-15)};
      for (const double s : {1.0, 0x1p-8, 8.0, 0x1p-13}) {
        expect_ends(three, s, *loss, 2 + 1);
        expect_ends(four, s, *loss, 2);
        expect_ends(tiny, s, *loss, 2);
        expect_ends(smallest, s, *loss, 2);
        expect_ends(tiny_three, s, *loss, 2 + 1);
      }
      expect_ends(three, 5, *loss, 2 + 2);
      expect_ends(tiny_three, 5, *loss, 2 + 2);
    }
  }
}

// What the factor s·W/N may be beyond is the largest number of the loss's format, roundings
// included.
TEST(TokenMean, MayOverflowInItsFactor) {
  const auto may_overflow = [](double weight, double s, std::int64_t ranks) {
    const std::vector<TokenTerm> terms{{number(binary32, 0x1p-20), 1, rational(weight)}};
    return token_mean(terms, {terms, binary32}, ranks, number(binary16, s), binary32, {})
        .may_be_non_finite();
  };
  EXPECT_TRUE(may_overflow(0x1p-13, 8, 1));
  EXPECT_FALSE(may_overflow(0x1p-12, 8, 1));
  EXPECT_TRUE(may_overflow(0x1p-12, 8, 4));
  EXPECT_FALSE(may_overflow(0x1p-10, 8, 4));
  EXPECT_TRUE(may_overflow(0.5, 0x1.ff8p14, 1));  // 65472·(1 + 2^-10)
  EXPECT_FALSE(may_overflow(0.5, 0x1.fcp14, 1));
}

// The header's E of a mean of three in binary32, each times S and over S again.
TEST(TokenLoss, ReachesAsFarAsItsBoundSays) {
  for (const double scale : {3.0, 0x1.8p-20, 0x1.8p60})
    for (const double size : {1.0, 0x1p-140}) {
      const std::vector<TokenTerm> losses{
          {number(binary32, size)}, {number(binary32, size * 2)}, {number(binary32, size * 4)}};
      const Rational mean = rational(size) * 7 / 3, one = 1,
                     half_eta = Rational::power_of_two(-150);
      const Rational relative = (one + relative_error(binary32)) *
                                (one + growth_bound(3, binary32)) *
                                (one + growth_bound(1 + 4, binary32));
      const Rational lost = half_eta * (one * 3 + one + one + one / rational(scale));
      const Rational error = (relative - 1) * mean + lost * relative;
      const Admissible set = token_loss(losses, 3, 1, {rational(scale)}, {});
      EXPECT_EQ(round_to(mean - error, binary32), set.lowest()) << scale << " " << size;
      EXPECT_EQ(round_to(mean + error, binary32), set.highest()) << scale << " " << size;
    }
}

// A sum of one loss: three roundings, of which the largest number but two ulps still may overflow.
TEST(TokenLoss, MayOverflowFromTheLargestNumberOn) {
  const auto may_overflow = [](const Number& loss, const Rational& weight,
                               const std::vector<Rational>& scales) {
    const std::vector<TokenTerm> losses{{loss, 1, weight}};
    return token_loss(losses, {losses, binary32}, 1, scales, {}).may_be_non_finite();
  };
  EXPECT_TRUE(may_overflow({&binary32, binary32.max_finite() - 2}, 1, {}));
  EXPECT_FALSE(may_overflow({&binary32, binary32.max_finite() - 3}, 1, {}));
  EXPECT_TRUE(may_overflow(number(binary32, 0x1p100), Rational::power_of_two(30), {}));
  EXPECT_FALSE(may_overflow(number(binary32, 0x1p100), Rational::power_of_two(20), {}));
  EXPECT_TRUE(may_overflow(number(binary32, 0x1p100), 1, {rational(0x1.8p40)}));
  EXPECT_FALSE(may_overflow(number(binary32, 0x1p100), 1, {rational(0x1.8p20)}));
}

}  // namespace
}  // namespace ampcheck::reference
