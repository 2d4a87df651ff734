#include "reference/dot_product.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "reference/emulation_test.hpp"

namespace ampcheck::reference {
namespace {

using Numbers = std::vector<Number>;

Numbers numbers(const NumberFormat& f, const std::vector<double>& values) {
  Numbers result;
  for (const double x : values) result.push_back(number(f, x));
  return result;
}

Admissible dot(const NumberFormat& f, const std::vector<double>& a, const std::vector<double>& b,
               const NumberFormat& accumulator, Products products, bool may_flush = false) {
  Policy policy;
  policy.may_flush = may_flush;
  return dot_product(numbers(f, a), numbers(f, b), accumulator, products, policy);
}

TEST(DotProduct, IsOnePatternWhereNothingRounds) {
  for (const Products products : {Products::rounded, Products::exact, Products::any}) {
    const Admissible set = dot(binary16, {3, -5, 7, 0.5}, {11, 2, 0.25, 100}, binary32, products);
    ASSERT_TRUE(set.is_single());
    EXPECT_EQ(number(binary32, 33 - 10 + 1.75 + 50).bits, set.single());
    EXPECT_EQ(0u, dot(binary16, {}, {}, binary32, products).single());
    // One product has one rounding: 2049² = 2^22 + 4097.
    EXPECT_EQ(number(bfloat16, 0x1p22).bits,
              dot(binary32, {2049}, {2049}, bfloat16, products).single());
  }
  EXPECT_THROW(dot(binary16, {1}, {}, binary32, Products::any), std::invalid_argument);
}

TEST(DotProduct, PassesOnWhatIsNotFinite) {
  const double inf = HUGE_VAL;
  EXPECT_EQ(0x7f800000u, dot(binary16, {inf, 3}, {2, 5}, binary32, Products::any).single());
  EXPECT_EQ(0xff800000u, dot(binary16, {inf, 3}, {-2, 5}, binary32, Products::any).single());
  EXPECT_FALSE(dot(binary16, {inf, 3}, {0, 5}, binary32, Products::any).has_ends());
  EXPECT_FALSE(dot(binary16, {inf, inf}, {1, -1}, binary32, Products::any).has_ends());
  EXPECT_EQ(0x7f800000u, dot(binary16, {2, 3}, {inf, 5}, binary32, Products::any).single());
  EXPECT_FALSE(dot(binary16, {0}, {inf}, binary32, Products::any).has_ends());
}

TEST(DotProduct, OfAnInfinityWithoutOneInTheAccumulatorIsNaN) {
  const Admissible set = dot(binary16, {HUGE_VAL}, {2}, float8_e4m3fn, Products::any);
  EXPECT_FALSE(set.has_ends());
  EXPECT_TRUE(set.contains(0x7f));
}

// A subnormal factor on either side takes its product away, and leaves nothing of the other sign.
TEST(DotProduct, MayFlushAFactor) {
  const auto flushed = [](double a, double b) {
    return dot(binary16, {a}, {b}, binary32, Products::rounded, true);
  };
  EXPECT_TRUE(flushed(0x1p-20, 1024).contains(0));
  EXPECT_TRUE(flushed(1024, 0x1p-20).contains(0));
  EXPECT_TRUE(flushed(1024, 0x1p-20).contains(number(binary32, 0x1p-10).bits));
  EXPECT_FALSE(flushed(1024, 0x1p-12).contains(0));
  EXPECT_EQ(0u, flushed(-1024, 0x1p-20).highest());
  EXPECT_EQ(0u, flushed(1024, 0x1p-20).lowest());
}

// 300·300 is beyond binary16: inf if rounded, and finite in a sum of exact products.
TEST(DotProduct, MayOverflow) {
  const std::vector<double> a{300, 300}, b{300, -299};
  EXPECT_FALSE(dot(binary16, a, b, binary16, Products::rounded).may_be_finite());
  EXPECT_TRUE(dot(binary16, a, b, binary16, Products::any).may_be_non_finite());
  EXPECT_TRUE(dot(binary16, a, b, binary16, Products::exact).contains(number(binary16, 300).bits));
  EXPECT_FALSE(dot(binary16, a, b, binary32, Products::any).may_be_non_finite());
}

// Half of the smallest subnormal number four times: rounded, nothing is left of it; two exact ones
// make one.
TEST(DotProduct, HoldsWhatUnderflows) {
  const double half = 0x1p-13;
  const std::vector<double> a{half, half, half, half}, b{0x1p-12, 0x1p-12, 0x1p-12, 0x1p-12};
  EXPECT_TRUE(dot(binary16, a, b, binary16, Products::rounded).contains(0));
  EXPECT_TRUE(dot(binary16, a, b, binary16, Products::any).contains(0));
  const Admissible exact = dot(binary16, a, b, binary16, Products::exact);
  EXPECT_TRUE(exact.contains(2) && exact.contains(0));
}

TEST(DotProduct, MayFlushASubnormalFactor) {
  const std::vector<double> a{0x1p-20, 3}, b{1024, 5};
  EXPECT_FALSE(dot(binary16, a, b, binary32, Products::any).contains(number(binary32, 15).bits));
  EXPECT_TRUE(
      dot(binary16, a, b, binary32, Products::any, true).contains(number(binary32, 15).bits));
}

// A partial result: a number of the accumulator, or a product that is not rounded yet.
struct Node {
  double value;
  double a = 0, b = 0;
  bool is_product = false;
};

// One evaluation, of short formats in double: products of two numbers of up to 11 bits are exact
// there, and so are sums of two of them unless they are far apart, where nothing depends on it.
double evaluated(const Machine& m, const std::vector<double>& a, const std::vector<double>& b,
                 Products products, std::mt19937_64& random) {
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool rounded =
        products == Products::rounded || (products == Products::any && random() % 2);
    nodes.push_back(rounded ? Node{m.multiply(a[i], b[i])} : Node{a[i] * b[i], a[i], b[i], true});
  }
  while (nodes.size() > 1) {
    std::swap(nodes[random() % nodes.size()], nodes.back());
    Node x = nodes.back();
    nodes.pop_back();
    Node& y = nodes[random() % nodes.size()];
    // A multiply-add has one product.
    if (x.is_product && y.is_product && products == Products::any) y = Node{m.narrow(y.value)};
    y = Node{m.narrow(x.value + y.value)};
  }
  return m.narrow(nodes.front().value);
}

TEST(DotProduct, HoldsEveryEvaluation) {
  std::mt19937_64 random(3);
  for (const NumberFormat* f : {&binary16, &bfloat16}) {
    const Machine m(*f);
    for (const int lowest : {-3, f == &binary16 ? -9 : -66}) {
      for (const Products products : {Products::rounded, Products::exact, Products::any}) {
        for (int i = 0; i < 300; ++i) {
          std::vector<double> a, b;
          for (std::size_t n = 1 + random() % 8; n != 0; --n)
            for (std::vector<double>* v : {&a, &b})
              v->push_back(m.narrow((random() % 2 ? 1 : -1) *
                                    std::ldexp(1 + static_cast<double>(random() % 2048) / 2048,
                                               lowest + static_cast<int>(random() % 4))));
          const Admissible set = dot(*f, a, b, *f, products);
          Rational exact;
          for (std::size_t k = 0; k < a.size(); ++k) exact += rational(a[k]) * rational(b[k]);
          ASSERT_TRUE(set.contains(round_to(exact, *f)));
          for (int k = 0; k < 20; ++k) {
            const double x = evaluated(m, a, b, products, random);
            ASSERT_TRUE(set.contains(m.bits(x)))
                << x << " not in " << set.to_string() << " " << static_cast<int>(products);
          }
        }
      }
    }
  }
}

// binary32's own operations, chained and fused, against exact rationals.
TEST(DotProduct, HoldsChainsOfBinary32) {
  std::mt19937_64 random(4);
  const Machine m(binary32);
  for (int i = 0; i < 300; ++i) {
    std::vector<double> a, b;
    for (std::size_t n = 2 + random() % 30; n != 0; --n)
      for (std::vector<double>* v : {&a, &b})
        v->push_back(static_cast<float>(static_cast<double>(random() >> 40) - 0x1p23));
    double fused = 0, separate = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      fused = m.fma(a[k], b[k], fused);
      separate = m.add(separate, m.multiply(a[k], b[k]));
    }
    EXPECT_TRUE(dot(binary32, a, b, binary32, Products::any).contains(m.bits(fused)));
    EXPECT_TRUE(dot(binary32, a, b, binary32, Products::any).contains(m.bits(separate)));
    EXPECT_TRUE(dot(binary32, a, b, binary32, Products::rounded).contains(m.bits(separate)));
  }
}

}  // namespace
}  // namespace ampcheck::reference
