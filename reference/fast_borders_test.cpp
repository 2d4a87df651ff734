// Sums and norms that are as long as the fast path's integers, and longer: the set of the exact
// path or no answer, and an answer up to the border.
#include <cmath>

#include "reference/emulation_test.hpp"
#include "reference/fast_support_test.hpp"

namespace ampcheck::reference {
namespace {

enum class Answer { given, not_wrong };

std::uint64_t f32(double x) { return number(binary32, x).bits; }

void check_sum(const char* what, Answer answer, const std::vector<double>& terms) {
  fast::Sum fast_sum(binary32);
  Sum exact_sum(binary32);
  for (const double term : terms) {
    fast_sum.add(f32(term), fast::Format(binary32));
    exact_sum.add(Admissible::of(binary32, f32(term)));
  }
  const auto found = fast_sum.result({});
  ASSERT_TRUE(found || answer != Answer::given) << what;
  if (found) same(exact_sum.result({}), *found, what);
}

void check_norm(const char* what, Answer answer, const std::vector<double>& elements) {
  std::vector<std::uint64_t> patterns;
  std::vector<GradientSets> tensors(1);
  for (const double element : elements) {
    patterns.push_back(f32(element));
    tensors[0].push_back(Admissible::of(binary32, f32(element)));
  }
  const auto found = fast::norm(patterns, binary32, {});
  ASSERT_TRUE(found || answer != Answer::given) << what;
  if (found) same(norm_of(tensors, {}).computed, *found, what);
}

// With v = 1/d the bounds for three terms, and for what four have on the way, are (1+v)² - 1, whose
// denominator has 49 bits: sums of 77 bits are as long as may be.
TEST(FastSum, AnswersUpToTheLongestProduct) {
  check_sum("three terms of 77 bits", Answer::given, {0x1p76, 1, 1});
  check_sum("three terms of 81 bits", Answer::not_wrong, {0x1p80, 1, 1});
  // From 2^127 on a number that is off by itself may overflow.
  check_sum("four terms of 81 bits, too small to overflow", Answer::given,
            {0x1p123, 0x1p43, 0x1p43, 0x1p43});
  check_sum("four terms of 77 bits that may look as if they did", Answer::given,
            {0x1p124, 0x1p48, 0x1p48, 0x1p48});
  // 2^128 - 2^104 and two terms of 2^48 may overflow before the negative one is added.
  check_sum("four terms of 80 bits", Answer::not_wrong,
            {0x1.fffffep127, -0x1.fffffep127, 0x1p48, 0x1p48});
}

TEST(FastSum, KnowsWhatRounds) {
  check_sum("nothing up to 2^24", Answer::given, {0x1p23, 0x1p23 - 1, 1});
  check_sum("a sum on the way, up to infinity", Answer::given,
            {0x1.fffffep127, 0x1p102, -0x1.fffffep127});
}

// Two finite terms that overflow meet the other infinity as NaN.
TEST(FastSum, OfTwoMayOverflowBesideAnInfinity) {
  check_sum("which is negative", Answer::given, {0x1.fffffep127, 0x1.fffffep127, -HUGE_VAL});
  check_sum("which is positive", Answer::given, {-0x1.fffffep127, -0x1.fffffep127, HUGE_VAL});
  // 2^128 - 2^103 is the least that does.
  check_sum("just", Answer::given, {0x1.fffffep127, 0x1p103, -HUGE_VAL});
  check_sum("not", Answer::given, {0x1.fffffep127, 0x1.fffffep102, -HUGE_VAL});
  check_sum("one", Answer::given, {0x1.fffffep127, -HUGE_VAL});
}

// 4097² is 2^24 + 8193, half way between two numbers, of which the lower one is even. With 2^-50
// beside it, it is above, which 72 bits do not tell.
TEST(FastNorm, DoesNotGuessNextToTies) {
  EXPECT_FALSE(fast::norm(std::vector{f32(4097), f32(0x1p-25)}, binary32, {}));
  check_norm("two elements of 72 bits", Answer::given, {4097, 0x1p-23});
}

// 14928515² + 7656005² is below 2^48; rounded up to 24 bits each, their squares come to more.
TEST(FastNorm, RefusesSumsThatGrowTooLong) {
  check_norm("97 bits", Answer::not_wrong, {0x1p24 * 14928515, 0x1p24 * 7656005, 1});
}

TEST(FastNorm, AllowsForWhatUnderflows) {
  // 4.5·eta, of which the half may be lost, and another half by the bound: from 3·eta on.
  check_norm("one of three elements", Answer::given, {0x1p-75, 0x1p-74, 0x1p-74});
  // The unit is 2^-244, and half of eta for each of the three is 3·2^94 of it.
  check_norm("96 bits", Answer::given, {0x1p-122, 0x1p-75, 0x1p-75});
  check_norm("136 bits", Answer::not_wrong, {0x1p-142, 0x1p-142, 0x1p-142});
}

// The squares are 4.5 eta, each of which may be rounded to 4 or kept: an interval from √8 to √9 of
// 2^-74.5.
TEST(FastNorm, OfTwoMayBeAnInterval) {
  check_norm("two elements", Answer::given, {0x1.8p-74, 0x1.8p-74});
  const auto found = fast::norm(std::vector{f32(0x1.8p-74), f32(0x1.8p-74)}, binary32, {});
  ASSERT_TRUE(found);
  EXPECT_EQ(f32(0x1p-73), static_cast<std::uint64_t>(found->low));
  EXPECT_EQ(f32(3 * std::sqrt(0.5) * 0x1p-74), static_cast<std::uint64_t>(found->high));
}

// So many that what underflow loses grows by more than eta in the additions: 6001/2·eta times
// 6000u is 1.07 eta.
TEST(FastNorm, LetsUnderflowGrow) {
  check_norm("6001 elements", Answer::given, std::vector<double>(6001, 0x1.8p-74));
}

TEST(FastNorm, AnswersBelow2To20Elements) {
  std::vector<std::uint64_t> elements((1 << 20) - 1, 0);
  const auto found = fast::norm(elements, binary32, {});
  ASSERT_TRUE(found);
  same(Admissible::of(binary32, 0), *found, "zeros");
  elements.push_back(0);
  EXPECT_FALSE(fast::norm(elements, binary32, {}));
}

TEST(FastNorm, LeavesFormatsWithoutNanOrZeroToTheExactPath) {
  const std::vector<std::uint64_t> one{1};
  EXPECT_FALSE(fast::norm(one, float4_e2m1fn, {}));
  EXPECT_FALSE(fast::norm(one, float8_e8m0fnu, {}));
}

}  // namespace
}  // namespace ampcheck::reference
