#include "reference/token_normalization.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <stdexcept>

#include "reference/emulation_test.hpp"
#include "reference/error_bounds.hpp"

namespace ampcheck::reference {
namespace {

// Fixture F: 2 ranks × 3 micro-batches.
constexpr std::int64_t kCounts[2][3] = {{1, 3, 2}, {0, 6, 4}};
constexpr std::int64_t kSums[2][3] = {{2, 3, 4}, {0, 18, 6}};

// Tokens of coefficient 1 and 3 so that the sums come out: n - 1 of 1 and one that takes the rest.
std::vector<TokenTerm> fixture(const NumberFormat& f) {
  std::vector<TokenTerm> terms;
  for (int r = 0; r < 2; ++r)
    for (int m = 0; m < 3; ++m) {
      if (kCounts[r][m] == 0) continue;
      const std::int64_t rest = kSums[r][m] - (kCounts[r][m] - 1);
      terms.push_back({number(f, static_cast<double>(rest)), 1});
      if (kCounts[r][m] > 1) terms.push_back({number(f, 1), kCounts[r][m] - 1});
    }
  return terms;
}

Admissible mean(const NumberFormat& f, std::int64_t count, std::int64_t ranks, double cotangent,
                const NumberFormat& loss = binary32) {
  return token_mean(fixture(f), count, ranks, number(loss, cotangent), binary32, {});
}

TEST(CountedTokens, LeavesOutWhatIsIgnored) {
  EXPECT_EQ(5, counted_tokens({{7, 3}, {-100, 50}, {0, 2}}, -100));
  EXPECT_EQ(0, counted_tokens({{-100, 50}}, -100));
  EXPECT_EQ(52, counted_tokens({{-100, 50}, {0, 2}, {1, 0}}, 7));
  EXPECT_EQ((std::int64_t{1} << 24) + 1023, counted_tokens({{1, 1 << 24}, {2, 1023}}, -100));
}

TEST(TokenMean, OfTheFixtureIsOnePattern) {
  for (const NumberFormat* f : {&binary16, &bfloat16, &binary32})
    for (const std::int64_t ranks : {1, 2, 4})
      for (const double s : {1.0, 8.0, 256.0}) {
        const Admissible set = mean(*f, 16, ranks, s);
        ASSERT_TRUE(set.is_single()) << f->name << " " << ranks << " " << s;
        EXPECT_EQ(number(binary32, s * 33 / 16).bits, set.single());
      }
}

// The values of §2 for what goes wrong, but the right 33/16 with another count or more ranks.
TEST(TokenMean, HoldsNoFaultyRecipe) {
  for (const std::int64_t ranks : {1, 2, 3}) {
    const Admissible set = mean(binary32, 16, ranks, 1);
    EXPECT_TRUE(set.contains(number(binary32, 2.0625).bits)) << ranks;
    for (const double wrong : {19.0 / 12, 1.9, 47.0 / 24, 1.95, 1.03125, 3.9, 0.6875, 4.75, 6.1875,
                               33.0 / 21, 0.55, 33.0, 16.5, 4.125, 9.5})
      EXPECT_FALSE(set.contains(number(binary32, wrong).bits)) << wrong << " with " << ranks;
  }
}

// A token more or less, or a rank counted once too often, lies outside also where nothing is
// dyadic.
TEST(TokenMean, TellsCountsApart) {
  for (const std::int64_t count : {15, 17, 21, 1023, 4097})
    for (const std::int64_t ranks : {1, 2, 3, 7})
      for (const std::int64_t off : {-1, 1}) {
        const Admissible set = mean(binary32, count, ranks, 1000);
        EXPECT_FALSE(set.may_be_non_finite());
        const Rational wrong = Rational(33000) / (count + off);
        EXPECT_FALSE(set.contains(round_to(wrong, binary32)));
        EXPECT_TRUE(set.contains(round_to(Rational(33000) / count, binary32)));
      }
}

// golden/innocent/A11: (2^24, then 1023 × 1) tokens. A counter in binary32 stays at 2^24.
TEST(TokenMean, TellsACounterThatStopsAt2To24) {
  const std::vector<TokenTerm> terms{{number(binary32, 1), 1 << 24}, {number(binary32, 3), 1023}};
  const Admissible set = token_mean(terms, (1 << 24) + 1023, 1, number(binary32, 1), binary32, {});
  const Rational sum = Rational(1 << 24) + Rational(3 * 1023);
  EXPECT_TRUE(set.contains(round_to(sum / ((1 << 24) + 1023), binary32)));
  EXPECT_FALSE(set.contains(round_to(sum / (1 << 24), binary32)));
}

TEST(TokenMean, OfNothingIsZero) {
  EXPECT_EQ(0u, token_mean({}, 0, 2, number(binary32, 8), binary32, {}).single());
  EXPECT_EQ(
      0u, token_mean({{number(binary32, 0), 3}}, 3, 2, number(binary32, 8), binary32, {}).single());
}

TEST(TokenMean, OfAnInfiniteSeedIsNotFinite) {
  const Admissible set = token_mean(fixture(binary32), 16, 1, {&binary16, 0x7c00}, binary32, {});
  EXPECT_FALSE(set.may_be_finite());
  EXPECT_TRUE(set.contains(binary32.infinity()));
  EXPECT_TRUE(set.contains(binary32.nan()));
}

// One rank's is everyone's. What is there zero times is not there.
TEST(TokenMean, OfAnInfOrNanIsNotFinite) {
  for (const std::uint64_t bits : {binary32.infinity(), binary32.nan()})
    for (const std::int64_t ranks : {1, 3}) {
      std::vector<TokenTerm> terms{{number(binary32, 1), 3}, {{&binary32, bits}, 1}};
      const Admissible set = token_mean(terms, 4, ranks, number(binary32, 8), binary32, {});
      EXPECT_FALSE(set.may_be_finite());
      EXPECT_TRUE(set.contains(binary32.infinity() | binary32.sign_bit()));
      EXPECT_TRUE(set.contains(binary32.nan()));
      terms.back().times = 0;
      EXPECT_EQ(number(binary32, 6).bits,
                token_mean(terms, 4, 1, number(binary32, 8), binary32, {}).single());
    }
}

// 33·8192 is beyond binary16, in which a micro-batch's gradient is delivered.
TEST(TokenMean, MayOverflowOnTheWay) {
  const Admissible set = mean(binary16, 16, 2, 65536);
  EXPECT_TRUE(set.may_be_non_finite());
  EXPECT_TRUE(set.contains(number(binary32, 65536 * 2.0625).bits));
  EXPECT_FALSE(mean(binary16, 16, 2, 1000).may_be_non_finite());
}

// A subnormal coefficient that is flushed loses more than a subnormal product would: 2^-15·1000.
TEST(TokenMean, MayFlushItsCoefficients) {
  const std::vector<TokenTerm> terms{{number(binary16, 0x1p-15), 1}};
  Policy policy;
  EXPECT_FALSE(token_mean(terms, 3, 1, number(binary32, 1000), binary32, policy).contains(0));
  policy.may_flush = true;
  EXPECT_TRUE(token_mean(terms, 3, 1, number(binary32, 1000), binary32, policy).contains(0));
}

// 33·16384/16 is within binary16, and four times that, which a share of four ranks may be, is not.
TEST(TokenMean, MayOverflowInAShareOfManyRanks) {
  EXPECT_TRUE(mean(binary16, 16, 4, 16384).may_be_non_finite());
  EXPECT_FALSE(mean(binary16, 16, 1, 16384).may_be_non_finite());
}

// The largest share, with all that its roundings may add, against the largest number of
// float8_e5m2, 57344.
TEST(TokenMean, MayOverflowWhereRoundingsTakeItBeyondTheRange) {
  const NumberFormat& f = float8_e5m2;
  const auto may_overflow = [&](double c, std::int64_t times, double s, std::int64_t count) {
    return token_mean({{number(f, c), times}}, count, 1, number(f, s), f, {}).may_be_non_finite();
  };
  // Two roundings, 100/81: 60681 and 50568.
  EXPECT_TRUE(may_overflow(1, 1, 49152, 1));
  EXPECT_FALSE(may_overflow(1, 1, 40960, 1));
  // Five, (10/9)^5: 7·118098·128/3125 is 57344 divided by them.
  EXPECT_FALSE(may_overflow(7, 118098, 128, 3125));
  EXPECT_TRUE(may_overflow(7, 118099, 128, 3125));
}

// The ends of what is one pattern: each of the header's conditions, met just so and just not.
TEST(TokenMean, IsOnePatternAsLongAsNothingRounds) {
  const auto is_single = [](const NumberFormat& f, double c, std::int64_t times, double s,
                            const NumberFormat& loss, std::int64_t count, std::int64_t ranks) {
    return token_mean({{number(f, c), times}}, count, ranks, number(loss, s), f, {}).is_single();
  };
  EXPECT_TRUE(is_single(float8_e5m2, 1, 8, 1, binary32, 8, 1));  // 2^3 quanta
  EXPECT_FALSE(is_single(float8_e5m2, 1, 9, 1, binary32, 8, 1));
  EXPECT_TRUE(is_single(float8_e5m2, 0x1p-12, 1, 1, binary32, 16, 1));  // down to 2^-16
  EXPECT_FALSE(is_single(float8_e5m2, 0x1p-13, 1, 1, binary32, 16, 1));
  const std::int64_t many = std::int64_t{1} << 24;
  EXPECT_TRUE(is_single(binary32, 1, 1, 1, binary16, many, 1));  // 1/N is 2^-24
  EXPECT_FALSE(is_single(binary32, 1, 1, 1, binary16, many * 2, 1));
  EXPECT_TRUE(is_single(binary32, 1, 1, 0x1p14, binary16, 4, 2));  // W·s is 2^15
  EXPECT_FALSE(is_single(binary32, 1, 1, 0x1p15, binary16, 4, 2));
  EXPECT_TRUE(is_single(binary16, 4, 1, 0x1p13, binary32, 1, 1));
  EXPECT_FALSE(is_single(binary16, 8, 1, 0x1p13, binary32, 1, 1));  // 65536
  EXPECT_FALSE(is_single(binary16, 2, 1, 0x1p14, binary32, 4, 4));  // 2^17
}

// The header's E, in a format in which it is large. `factors` is its k, and `n` its number of
// terms.
void check_bound(const std::vector<TokenTerm>& terms, std::int64_t count, std::int64_t ranks,
                 double s, std::size_t n, std::size_t factors, bool flushes = false) {
  const NumberFormat& f = float8_e5m2;
  const Rational seed = rational(s), half_eta = Rational::power_of_two(-17),
                 smallest = Rational::power_of_two(-14), one(1);
  Rational sum, magnitudes, subnormals;
  for (const TokenTerm& term : terms) {
    const Rational product = value_of(term.coefficient) * term.times;
    sum += product;
    magnitudes += product.abs();
    if (f.is_subnormal(term.coefficient.bits)) subnormals += product.abs();
  }
  const Rational relative =
      (one + relative_error(f)) * (one + growth_bound(n, f)) * (one + growth_bound(factors, f));
  const Rational each = flushes ? smallest : half_eta;
  Rational lost = each * (static_cast<std::int64_t>(n) + (ranks > 1 ? ranks + 1 : 1));
  if (seed / count < smallest) lost += each * magnitudes * 2;
  if (one / count < smallest) lost += each * magnitudes * seed;
  if (flushes) lost += subnormals * seed / count;
  const Rational exact = sum * seed / count;
  const Rational error = (relative - 1) * magnitudes * seed / count + lost * relative;
  Policy policy;
  policy.may_flush = flushes;
  const Admissible set = token_mean(terms, count, ranks, number(f, s), f, policy);
  EXPECT_EQ(round_to(exact - error, f), set.lowest()) << count << " " << ranks << " " << s;
  EXPECT_EQ(round_to(exact + error, f), set.highest()) << count << " " << ranks << " " << s;
}

TEST(TokenMean, ReachesAsFarAsItsBoundSays) {
  const auto term = [](double c, std::int64_t times = 1) {
    return TokenTerm{number(float8_e5m2, c), times};
  };
  const std::vector<TokenTerm> one{term(1)}, three{term(1.25), term(-7), term(3)};
  for (const std::vector<TokenTerm>* terms : {&one, &three}) {
    const std::size_t n = terms->size();
    check_bound(*terms, 3, 1, 1, n, 1);    // RN(1/N)
    check_bound(*terms, 3, 1, 1.5, n, 2);  // and its product with s
    check_bound(*terms, 9, 1, 1, n, 2);    // N, too
    check_bound(*terms, 3, 3, 1.5, n, 5);
    check_bound(*terms, 3, 2, 1.5, n, 2);
    check_bound(*terms, 3, 3, 0x1.8p-12, n, 5);  // what underflows begins to count
    check_bound(*terms, 3, 2, 0x1.8p-12, n, 2);
    check_bound(*terms, 3, 1, 0x1.8p-12, n, 2);
    check_bound(*terms, 3, 1, 0x1.8p-13, n, 2);  // s/N is the smallest normal number
    check_bound(*terms, 7, 1, 0x1.8p-13, n, 2);
    check_bound(*terms, 1 << 14, 1, 0x1.8p0, n, 0);  // 1/N is
    check_bound(*terms, 3 << 13, 1, 0x1.8p0, n, 2);
  }
  check_bound({term(1, 5)}, 3, 1, 1, 5, 1);
  check_bound({term(0x1.8p-15, 4)}, 3, 1, 0x1p14, 4, 1, true);
  check_bound({term(0x1.8p-15, 4), term(1)}, 3, 1, 0x1p3, 5, 1, true);
  check_bound({term(0x1p-14, 1 << 16)}, 3, 1, 1, 1 << 16, 1);
  check_bound({term(0x1p-14, 1 << 17)}, 3, 1, 1, 2, 1);
}

// What an implementation may do: a factor in the format of the loss, formed in one of several
// orders; products in F; sums in binary32 in any order; ranks averaged.
double evaluated(const std::vector<TokenTerm>& terms, double count, double ranks, double s,
                 const Machine& loss, const Machine& f, std::mt19937_64& random) {
  const Machine wide(binary32);
  double factor = 0;
  switch (random() % 3) {
    case 0:
      factor = loss.divide(loss.multiply(s, ranks), loss.narrow(count));
      break;
    case 1:
      factor = loss.multiply(loss.multiply(s, loss.divide(1, loss.narrow(count))), ranks);
      break;
    case 2:
      factor = loss.multiply(loss.divide(s, loss.narrow(count)), ranks);
      break;
  }
  std::vector<double> shares(static_cast<std::size_t>(ranks), 0.0);
  for (const TokenTerm& term : terms) {
    double& share = shares[random() % shares.size()];
    const double product = f.multiply(factor, as_double(term.coefficient));
    if (random() % 2) {
      share = wide.add(share, wide.multiply(product, static_cast<double>(term.times)));
    } else {
      for (std::int64_t t = 0; t < term.times; ++t) share = wide.add(share, product);
    }
  }
  double total = 0;
  for (const double share : shares) total = wide.add(total, share);
  return wide.divide(total, ranks);
}

double check_evaluations(const NumberFormat& loss, const NumberFormat& f, int lowest) {
  std::mt19937_64 random(11);
  double worst = 0;
  for (int i = 0; i < 300; ++i) {
    std::vector<TokenTerm> terms;
    std::int64_t count = 0;
    Rational sum;
    for (std::size_t n = 1 + random() % 6; n != 0; --n) {
      const double c = std::ldexp(1 + static_cast<double>(random() % 4096) / 4096,
                                  lowest + static_cast<int>(random() % 6));
      terms.push_back(
          {number(f, random() % 4 ? c : -c), 1 + static_cast<std::int64_t>(random() % 5)});
      count += terms.back().times;
      sum += value_of(terms.back().coefficient) * terms.back().times;
    }
    count += static_cast<std::int64_t>(random() % 3);  // tokens without an effect on this element
    const auto ranks = static_cast<std::int64_t>(1 + random() % 3);
    const double s = loss == binary16 ? 8 : 1000;
    const Admissible set = token_mean(terms, count, ranks, number(loss, s), binary32, {});
    const Rational exact = sum * rational(s) / count;
    EXPECT_TRUE(set.contains(round_to(exact, binary32)));
    for (int k = 0; k < 20; ++k) {
      const double x = evaluated(terms, static_cast<double>(count), static_cast<double>(ranks), s,
                                 Machine(loss), Machine(f), random);
      EXPECT_TRUE(set.contains(number(binary32, x).bits)) << x << " not in " << set.to_string();
      const Rational room =
          max(value_of(set.highest(), binary32) - exact, exact - value_of(set.lowest(), binary32));
      if (!room.is_zero())
        worst = std::max(
            worst, as_double({&binary64, round_to((rational(x) - exact).abs() / room, binary64)}));
    }
  }
  return worst;
}

TEST(TokenMean, HoldsEveryEvaluation) {
  EXPECT_GE(check_evaluations(binary32, binary32, -3), 0.1);
  EXPECT_GE(check_evaluations(binary32, binary16, -3), 0.1);
  EXPECT_GE(check_evaluations(binary32, bfloat16, -3), 0.1);
}
TEST(TokenMean, HoldsEveryEvaluationWithALossInBinary16) {
  EXPECT_GE(check_evaluations(binary16, binary32, -3), 0.1);
  EXPECT_GE(check_evaluations(binary16, binary16, -3), 0.1);
}
TEST(TokenMean, HoldsEveryEvaluationOfSubnormalProducts) {
  EXPECT_GE(check_evaluations(binary16, binary16, -24), 0.1);
}

TEST(CountedTokens, AreCountedExactlyOrRefused) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(kMost, counted_tokens({{1, kMost - 1}, {-100, kMost}, {2, 1}}, -100));
  EXPECT_THROW(counted_tokens({{1, kMost}, {2, 1}}, -100), std::out_of_range);
}

}  // namespace
}  // namespace ampcheck::reference
