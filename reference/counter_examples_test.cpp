// Bounds that are quoted for sums and norms and do not hold, each with what breaks it, so that
// nobody "sharpens" a set to one of them.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>

#include "reference/accumulation.hpp"
#include "reference/error_bounds.hpp"
#include "reference/norm.hpp"

namespace ampcheck::reference {
namespace {

// Trees of additions of positive floats of p bits whose computed sum is large for what is summed.
//
// least(h, x): the least exact sum of the leaves of a tree of height at most h whose computed sum
// is the float x. It scales with x, so that one binade per height is enough: x is m units, m from
// 2^(p-1) to 2^p - 1, and a smaller operand k units of 2^e. Doubles only guide the search; the tree
// that it finds is summed exactly.
class Trees {
 public:
  Trees(int p, int heights) : p_(p) {
    const std::int64_t first = std::int64_t{1} << (p - 1);
    std::vector<Choice> leaves;
    for (std::int64_t m = first; m < 2 * first; ++m)
      leaves.push_back({static_cast<double>(m), {}, {}});
    best_.push_back(leaves);
    for (int h = 1; h <= heights; ++h) best_.push_back(best_.back()), improve(h);
  }

  struct Float {
    std::int64_t m = 0;  // 2^(p-1) <= m < 2^p; 0: no operand
    int e = 0;
  };

  // The ratio of what is computed to what is summed, at the best float.
  Float best(int h) const {
    Float result;
    double most = 0;
    const std::int64_t first = std::int64_t{1} << (p_ - 1);
    for (std::int64_t m = first; m < 2 * first; ++m) {
      const double ratio = static_cast<double>(m) / at(h, m).least;
      if (ratio > most) most = ratio, result = {m, 0};
    }
    return result;
  }

  // The tree found for m units of 1.
  struct Tree {
    Rational exact, computed;
    double leaves = 0;  // as many as 2^h
  };
  const Tree& tree(int h, std::int64_t m, const NumberFormat& f) {
    Tree& result = trees_[{h, m}];
    if (result.leaves != 0) return result;
    const Choice& choice = at(h, m);
    if (choice.a.m == 0) return result = {m, m, 1};
    const Tree a = tree(h - 1, choice.a.m, f), b = tree(h - 1, choice.b.m, f);
    const auto scaled = [](const Rational& x, int e) { return x * Rational::power_of_two(e); };
    const Rational sum = scaled(a.computed, choice.a.e) + scaled(b.computed, choice.b.e);
    return result = {scaled(a.exact, choice.a.e) + scaled(b.exact, choice.b.e),
                     value_of(round_to(sum, f), f), a.leaves + b.leaves};
  }

  // Its leaves, added to `terms`.
  void leaves(int h, const Float& x, std::vector<Rational>& terms) const {
    const Choice& choice = at(h, x.m);
    if (choice.a.m == 0) {
      terms.push_back(Rational::dyadic(x.m, x.e));
      return;
    }
    leaves(h - 1, {choice.a.m, choice.a.e + x.e}, terms);
    leaves(h - 1, {choice.b.m, choice.b.e + x.e}, terms);
  }

 private:
  struct Choice {
    double least;  // in units of the float's last place
    Float a, b;
  };

  const Choice& at(int h, std::int64_t m) const {
    return best_[static_cast<std::size_t>(h)]
                [static_cast<std::size_t>(m - (std::int64_t{1} << (p_ - 1)))];
  }

  void improve(int h) {
    const std::int64_t first = std::int64_t{1} << (p_ - 1);
    // a in the binade of the sum or one below; b from the same binade down to where it is at most
    // half of a unit. All in units of 2^-(p+1).
    for (int ea = -1; ea <= 0; ++ea)
      for (std::int64_t ma = first; ma < 2 * first; ++ma)
        for (int eb = -p_ - 1; eb <= ea; ++eb)
          for (std::int64_t mb = first; mb < 2 * first; ++mb) {
            const std::int64_t a = ma << (ea + p_ + 1), b = mb << (eb + p_ + 1);
            const std::int64_t unit = std::int64_t{1} << (p_ + 1);
            std::int64_t m = (a + b) / unit;
            const std::int64_t rest = (a + b) % unit;
            // Below the binade units are half as large: only the last quarter rounds into it.
            if (m < first && !(m == first - 1 && rest >= unit / 4 * 3)) continue;
            if (rest > unit / 2 || (rest == unit / 2 && m % 2 != 0)) ++m;
            if (m >= 2 * first) continue;
            const double sum =
                std::ldexp(at(h - 1, ma).least, ea) + std::ldexp(at(h - 1, mb).least, eb);
            Choice& choice =
                best_[static_cast<std::size_t>(h)][static_cast<std::size_t>(m - first)];
            if (sum < choice.least) choice = {sum, {ma, ea}, {mb, eb}};
          }
  }

  int p_;
  std::vector<std::vector<Choice>> best_;
  std::map<std::pair<int, std::int64_t>, Tree> trees_;
};

// Formats of p bits and so many bits of exponent that nothing underflows.
constexpr NumberFormat kTwoBits{"p2", 13, 11, 1, NumberFormat::Specials::ieee};
constexpr NumberFormat kThreeBits{"p3", 14, 11, 2, NumberFormat::Specials::ieee};
constexpr NumberFormat kFourBits{"p4", 15, 11, 3, NumberFormat::Specials::ieee};
constexpr NumberFormat kEightBits{"p8", 19, 11, 7, NumberFormat::Specials::ieee};

// A tree of at most this height fails h·u, and its terms keep the bound that holds.
void check_heights(const NumberFormat& f, int heights) {
  Trees trees(f.precision(), heights);
  const Rational u = Rational::power_of_two(-f.precision());
  for (int h = 2; h <= heights; ++h) {
    const Trees::Float top = trees.best(h);
    const Trees::Tree& found = trees.tree(h, top.m, f);
    ASSERT_EQ(Rational(top.m), found.computed);
    if (found.computed - found.exact <= u * h * found.exact) continue;
    testing::Test::RecordProperty(std::string(f.name) + "_height", h);
    testing::Test::RecordProperty(std::string(f.name) + "_terms", std::to_string(found.leaves));
    const auto n = static_cast<std::size_t>(std::min(found.leaves, 0x1p31));
    EXPECT_LE(found.computed, found.exact * (Rational(1) + summation_bound(n, f)));
    if (n > 10000) return;
    std::vector<Rational> terms;
    trees.leaves(h, top, terms);
    ASSERT_EQ(n, terms.size());
    Sum sum(f);
    Rational exact;
    for (const Rational& term : terms) {
      ASSERT_TRUE(is_representable(term, f));
      sum.add(Admissible::of(f, round_to(term, f)));
      exact += term;
    }
    EXPECT_EQ(found.exact, exact);
    EXPECT_TRUE(sum.result({}).contains(round_to(found.computed, f)));
    return;
  }
  FAIL() << f.name << " has no tree of height " << heights << " that fails";
}

TEST(CounterExamples, HeightTimesUnitRoundoffIsNoBoundForSums) {
  check_heights(kTwoBits, 12);
  check_heights(kThreeBits, 11);
  check_heights(kFourBits, 13);
  check_heights(kEightBits, 31);
}

Admissible norm_of_equal(double x, std::size_t n) {
  const Admissible element = Admissible::of(
      binary32, round_to(value_of(std::bit_cast<std::uint64_t>(x), binary64), binary32));
  const std::vector<GradientSets> tensors{GradientSets(n, element)};
  return norm_of(tensors, {}).computed;
}

// (n/2 + 1)·u, the first-order bound of a norm, is 2^-22 for four elements.
TEST(CounterExamples, NormsAreNotWithinHalfOfNPlusOneUnitRoundoffs) {
  const auto computed = [](float x, int n) {
    float squares = 0;
    for (int i = 0; i < n; ++i) squares += x * x;
    return std::sqrt(squares);
  };
  EXPECT_EQ(0, computed(1e-23f, 4));
  EXPECT_TRUE(norm_of_equal(1e-23f, 4).contains(0));
  // One element: 3e-23 comes out as 3.74e-23.
  const float up = computed(3e-23f, 1);
  EXPECT_GT(up, 1.2f * 3e-23f);
  EXPECT_TRUE(norm_of_equal(3e-23f, 1).contains(std::bit_cast<std::uint32_t>(up)));
}

}  // namespace
}  // namespace ampcheck::reference
