// Means of tokens whose classes have weights, and the losses that users are told.
#include <gtest/gtest.h>

#include <random>

#include "reference/emulation_test.hpp"
#include "reference/error_bounds.hpp"
#include "reference/token_normalization.hpp"

namespace ampcheck::reference {
namespace {

// Tokens of the classes of weight 1/2 and 3/2: (1·1/2·5 + 3·3/2·3)/(1/2 + 9/2) of nothing dyadic,
// and with six more of the first class (1·1/2·5 + 3·3/2·3 + 6·1/2·7)/8.
TEST(TokenMean, DividesByTheSumOfWeights) {
  const Rational half = Rational(1) / 2, more = Rational(3) / 2;
  std::vector<TokenTerm> terms{{number(binary32, 5), 1, half}, {number(binary32, 3), 3, more}};
  const TokenDivisor five(terms, binary32);
  EXPECT_EQ(five.exact, Rational(5));
  EXPECT_TRUE(five.relative_error.is_zero());
  const Admissible set = token_mean(terms, five, 1, number(binary32, 8), binary32, {});
  EXPECT_TRUE(set.contains(number(binary32, 8 * 3.2).bits));
  for (const double wrong : {8 * 16 / 4.0, 8 * 14 / 4.0, 8 * 16 / 5.0 * 4 / 5, 8 * 14 / 5.0})
    EXPECT_FALSE(set.contains(number(binary32, wrong).bits)) << wrong;
  terms.push_back({number(binary32, 7), 6, half});
  const Admissible exact =
      token_mean(terms, {terms, binary32}, 2, number(binary32, 8), binary32, {});
  EXPECT_EQ(number(binary32, 8 * 37 / 8.0).bits, exact.single());
}

// Sums that binary32 does not hold: of four terms, times and products rounded, or of single tokens.
TEST(TokenMean, WidensByWhatItsDivisorIsOff) {
  const Rational third = value_of(number(binary32, 1.0 / 3));
  const std::vector<TokenTerm> terms{{number(binary32, 1), 2, third},
                                     {number(binary32, 1), 1 << 20, 1}};
  const TokenDivisor divisor(terms, binary32);
  EXPECT_EQ(divisor.exact, third * 2 + (1 << 20));
  EXPECT_EQ(divisor.relative_error, growth_bound(4, binary32));
  const TokenDivisor laid_out({{number(binary32, 1), 1 << 10, third}}, binary32);
  EXPECT_EQ(laid_out.exact, third * (1 << 10));
  EXPECT_EQ(laid_out.relative_error, growth_bound(1 << 10, binary32));
  const Admissible set = token_mean(terms, divisor, 1, number(binary32, 1), binary32, {});
  EXPECT_TRUE(set.contains(number(binary32, 1).bits));
  EXPECT_FALSE(set.is_single());
}

// E as it is written down, without what underflows: of seven tokens, N and RN(1/N) rounded, RN(w)
// and the product with it, and N itself off by its own seven roundings.
TEST(TokenMean, IsAsWideAsWeightsMakeIt) {
  const std::vector<TokenTerm> terms{{number(binary32, 1), 2, value_of(number(binary32, 1.0 / 3))},
                                     {number(binary32, 3), 5, value_of(number(binary32, 1.1))}};
  const Rational n = terms[0].weight * 2 + terms[1].weight * 5;
  const Rational mean = (terms[0].weight * 2 + terms[1].weight * 15) / n * 8;
  const Rational off = growth_bound(7, binary32), one = 1;
  const Rational most = (one + relative_error(binary32)) * (one + off) *
                        (one + growth_bound(4, binary32)) / (one - off);
  const Admissible set = token_mean(terms, {terms, binary32}, 1, number(binary32, 8), binary32, {});
  const Admissible expected = Admissible::enclosing(binary32, mean * (one * 2 - most), mean * most);
  EXPECT_EQ(expected.lowest(), set.lowest());
  EXPECT_EQ(expected.highest(), set.highest());
}

// In binary32 as a loop takes it: weights in either factor, sums in either direction, a quotient or
// a product with the reciprocal.
TEST(TokenMean, HoldsWeightedLoops) {
  std::mt19937_64 random(11);
  const auto f = [](double x) { return static_cast<float>(x); };
  for (int i = 0; i < 2000; ++i) {
    const float unit = i % 4 == 0 ? 0x1p-132F : 1;  // weights that are subnormal, some of them
    std::vector<TokenTerm> terms;
    std::vector<float> c, w;
    for (std::size_t n = 1 + random() % 12; n > 0; --n) {
      c.push_back(f(static_cast<double>(random() % 4001) - 2000) / 7);
      w.push_back(f(static_cast<double>(random() % 1000 + 1)) /
                  (random() % 2 == 0 ? 64.0F : 37.0F) * unit);
      terms.push_back({number(binary32, c.back()), 1, value_of(number(binary32, w.back()))});
    }
    const float scale = unit < 1 ? 1 : 1024;
    float forth = 0, back = 0, divisor = 0, factors = 0;
    for (const float x : w) divisor += x;
    for (std::size_t t = 0; t < c.size(); ++t) {
      forth += w[t] * c[t];
      back += w[c.size() - 1 - t] * c[c.size() - 1 - t];
      factors += (scale * (1 / divisor)) * w[t] * c[t];
    }
    const Admissible set =
        token_mean(terms, {terms, binary32}, 1, number(binary32, scale), binary32, {});
    for (const float mean : {forth * scale / divisor, back * (scale / divisor), factors})
      EXPECT_TRUE(set.contains(number(binary32, mean).bits)) << set.to_string() << " " << mean;
  }
}

TEST(TokenLoss, IsTheMeanOfTheLosses) {
  const std::vector<TokenTerm> losses{{number(binary32, 1.5), 3}, {number(binary32, 4), 1}};
  EXPECT_EQ(number(binary32, 8.5 / 4).bits, token_loss(losses, 4, 2, {Rational(8)}, {}).single());
  const Admissible third = token_loss(losses, 3, 1, {}, {});
  EXPECT_TRUE(third.contains(number(binary32, 8.5F / 3).bits));
  EXPECT_FALSE(third.contains(number(binary32, 8.5F / 4).bits));
}

// Each loss times S = 1000.1 and back before it is summed, or the sum.
TEST(TokenLoss, MayHaveBeenScaledAndUnscaled) {
  const float scale = 1000.1F;
  std::mt19937_64 random(3);
  int moved = 0;
  for (int i = 0; i < 500; ++i) {
    std::vector<TokenTerm> losses;
    float plain = 0, each = 0, sum = 0;
    for (int t = 0; t < 4; ++t) {
      const float x = static_cast<float>(static_cast<int>(random() % 2001) - 1000) / 64;
      losses.push_back({number(binary32, x), 1});
      plain += x;
      each += x * scale / scale;
      sum += x * scale;
    }
    const Admissible set = token_loss(losses, 4, 1, {value_of(number(binary32, scale))}, {});
    const Admissible unscaled = token_loss(losses, 4, 1, {Rational(1)}, {});
    EXPECT_EQ(number(binary32, plain / 4).bits, unscaled.single());
    for (const float told : {plain / 4, each / 4, sum / scale / 4, sum / 4 * (1 / scale)}) {
      EXPECT_TRUE(set.contains(number(binary32, told).bits)) << set.to_string() << " " << told;
      moved += unscaled.contains(number(binary32, told).bits) ? 0 : 1;
    }
    EXPECT_FALSE(set.contains(number(binary32, plain / 4 + 0.001F).bits));
  }
  EXPECT_GT(moved, 100);
}

// 3·2^127 is beyond binary32, its mean is not.
TEST(TokenLoss, MayOverflowBeforeItIsDivided) {
  const auto loss = [](double x, const Rational& weight) {
    const std::vector<TokenTerm> losses{{number(binary32, x), 3, weight}};
    return token_loss(losses, {losses, binary32}, 1, {}, {});
  };
  EXPECT_TRUE(loss(0x1p127, 1).contains(binary32.infinity()));
  EXPECT_TRUE(loss(0x1p127, 1).contains(number(binary32, 0x1p127).bits));
  EXPECT_FALSE(loss(0x1p126, 1).may_be_non_finite());
  EXPECT_TRUE(loss(1, Rational::power_of_two(127)).may_be_non_finite());  // the weights' own sum
  EXPECT_FALSE(loss(1, Rational::power_of_two(125)).may_be_non_finite());
}

TEST(TokenLoss, OfNothingIsZeroOrNan) {
  const Admissible set = token_loss({}, 0, 1, {}, {});
  EXPECT_TRUE(set.contains(0));
  EXPECT_TRUE(set.contains(binary32.nan()));
  EXPECT_FALSE(set.contains(binary32.infinity()));
  EXPECT_FALSE(set.contains(number(binary32, 1).bits));
}

}  // namespace
}  // namespace ampcheck::reference
