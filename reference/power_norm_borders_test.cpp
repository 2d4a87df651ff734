// Ends of the sets of power_norm.hpp, with each number of roundings written down.
#include <gtest/gtest.h>

#include "reference/accumulation.hpp"
#include "reference/emulation_test.hpp"
#include "reference/error_bounds.hpp"
#include "reference/power_norm.hpp"
#include "reference/root.hpp"

namespace ampcheck::reference {
namespace {

Admissible norm(double x, int p, const Policy& policy = {}) {
  return power_norm({{rational(x), rational(x)}}, p, binary32, binary64, policy);
}

Policy rescaled() {
  Policy policy;
  policy.norm_is_rescaled = true;
  return policy;
}

// Of one element whose power takes so many roundings and whose root so many, shown in binary64. An
// end may have been rounded to binary32 before.
void expect_ends(double x, int p, std::size_t of_power, std::size_t of_root,
                 const Policy& policy = {}) {
  const Rational exact = power(rational(x), p), one = 1;
  const Rational off = growth_bound(of_power, binary32);
  Sum sum(binary32);
  sum.add_product(exact * (one - off), exact * (one + off), Products::rounded);
  const Admissible sums = sum.result({});
  const auto root = [&](std::uint64_t bits, const Rational& factor, const NumberFormat& f) {
    const Rational moved = value_of(bits, binary32) * power(factor, p);
    return value_of(round_to(Root(moved, p), f), f);
  };
  const Rational r = growth_bound(of_root, binary32);
  const Rational low =
      min(root(sums.lowest(), one - r, binary64), root(sums.lowest(), one - r, binary32));
  const Rational high =
      max(root(sums.highest(), one + r, binary64), root(sums.highest(), one + r, binary32));
  const Admissible set = norm(x, p, policy);
  EXPECT_EQ(low, value_of(set.lowest(), binary64)) << x << " " << p;
  EXPECT_EQ(high, value_of(set.highest(), binary64)) << x << " " << p;
}

// A power takes max(p - 1, 9) roundings, and 2p more where elements were divided. A root takes 9,
// one more where it is multiplied again, and 0.7·L/p rounded up, L = |log2 s| to the next integer.
TEST(PowerNormBorders, ReachAsFarAsTheBoundSays) {
  expect_ends(1.125, 3, 9, 9 + 1);     // s = 1.42, L = 1: 0.23
  expect_ends(2.25, 3, 9, 9 + 1);      // s = 11.4, L = 4: 0.93
  expect_ends(2.75, 3, 9, 9 + 2);      // s = 20.8, L = 5: 1.17
  expect_ends(18.25, 3, 9, 9 + 4);     // s = 6078, L = 13: 3.03
  expect_ends(45, 3, 9, 9 + 4);        // s = 91125, L = 17: 3.97
  expect_ends(0x1.cp-5, 3, 9, 9 + 4);  // s = 2^-12.6, L = 13
  expect_ends(1.125, 16, 15, 9 + 1);   // s = 6.58, L = 3: 0.13
  expect_ends(1.125, 11, 10, 9 + 1);
  expect_ends(45, 3, 9 + 6, 9 + 1 + 4, rescaled());
  expect_ends(1.125, 16, 15 + 32, 9 + 1 + 1, rescaled());
}

// A power may be subnormal where it is below twice the smallest normal number: 2^-125.
TEST(PowerNormBorders, LoseWhatMayBeSubnormal) {
  EXPECT_EQ(0u, norm(0x1.3p-42, 3).lowest());   // 1.67·2^-126
  EXPECT_NE(0u, norm(0x1.58p-42, 3).lowest());  // 2.43·2^-126
}

TEST(PowerNormBorders, OfNothingIsZero) {
  EXPECT_EQ(0u, norm(0, 3).single());
  EXPECT_EQ(0u, power_norm({}, 3, binary32, binary32, {}).single());
}

// Divided by the largest, only powers that the sum makes infinite leave a norm of which nothing is
// known.
TEST(PowerNormBorders, KnowNothingOfADividedNormOnlyBeyondTheRange) {
  EXPECT_GT(value_of(norm(45, 3, rescaled()).lowest(), binary64), rational(44.9));
  const Admissible beyond = norm(0x1p44, 3, rescaled());
  EXPECT_EQ(0u, beyond.lowest());
  EXPECT_EQ(binary64.infinity(), beyond.highest());
}

}  // namespace
}  // namespace ampcheck::reference
