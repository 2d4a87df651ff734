// How near a correct computation comes to the ends of the sets: hill-climbing over the inputs, and
// over orders of evaluation and forms of a formula. Every value must lie in its set, and some must
// go a tenth of the way to an end, or the set is wider than it has reason to be.
#include <gtest/gtest.h>

#include <set>

#include "reference/accumulation.hpp"
#include "reference/clipping.hpp"
#include "reference/dot_product.hpp"
#include "reference/hill_climbing_test.hpp"
#include "reference/norm.hpp"
#include "reference/orders_test.hpp"
#include "reference/scaling.hpp"
#include "reference/token_normalization.hpp"

namespace ampcheck::reference {
namespace {

std::vector<double> doubles(const Patterns& bits, const NumberFormat& f) {
  std::vector<double> result;
  for (const std::uint64_t x : bits) result.push_back(as_double({&f, x}));
  return result;
}

Rational exact_sum(const std::vector<double>& terms) {
  Rational sum;
  for (const double x : terms) sum += rational(x);
  return sum;
}

double nearest_double(const Exact& x) { return as_double({&binary64, round_to(x, binary64)}); }

// 1, and n-1 numbers just above half of its unit in the last place.
Patterns one_and_halves(const NumberFormat& f, std::size_t n) {
  Patterns start(n, number(f, std::ldexp(1.0, -f.precision())).bits + 1);
  start[0] = number(f, 1).bits;
  return start;
}

TEST(Tightness, OfSums) {
  for (const NumberFormat* f : {&binary16, &bfloat16, &binary32}) {
    const Machine m(*f);
    for (const std::size_t n : {3, 8, 64}) {
      const double ratio =
          climb(one_and_halves(*f, n), *f, n > 8 ? 300 : 1500, [&](const Patterns& bits) {
            Sum sum(*f);
            for (const std::uint64_t x : bits) sum.add(Admissible::of(*f, x));
            const Admissible set = sum.result({});
            const std::vector<double> terms = doubles(bits, *f);
            const Rational exact = exact_sum(terms);
            double best = 0;
            for (int order = 0; order < kOrders; ++order)
              best = std::max(best, reached(set, exact, sum_in_order(m, terms, order)));
            return best;
          });
      expect_reached("sum_" + std::string(f->name) + "_" + std::to_string(n), ratio);
    }
  }
}

// c·RN(s/N), divided in one of the forms and summed.
TEST(Tightness, OfMicroBatchMeans) {
  for (const NumberFormat* f : {&binary16, &bfloat16, &binary32}) {
    const Machine m(*f);
    const double s = 1001, count = 3;
    const double ratio =
        climb(Patterns(6, number(*f, 1.5).bits), *f, 800, [&](const Patterns& bits) {
          const Admissible cotangents = divided_seed(number(*f, s), 3);
          Sum sum(*f);
          for (const std::uint64_t x : bits)
            sum.add(cotangents.map(*f, [&](std::uint64_t cotangent) {
              return delivered({f, cotangent}, {f, x}, *f, false);
            }));
          const Admissible set = sum.result({});
          const std::vector<double> c = doubles(bits, *f);
          const Rational exact = exact_sum(c) * rational(m.narrow(s)) / 3;
          double best = 0;
          for (const double cotangent :
               {m.divide(m.narrow(s), count), m.multiply(m.narrow(s), m.divide(1, count))}) {
            std::vector<double> terms;
            for (const double x : c) terms.push_back(m.multiply(cotangent, x));
            for (int order = 0; order < kOrders; ++order)
              best = std::max(best, reached(set, exact, sum_in_order(m, terms, order)));
          }
          return best;
        });
    expect_reached("micro_batch_mean_" + std::string(f->name), ratio);
  }
}

// ---- norms

double plain_norm(const Machine& m, const std::vector<double>& x, int order, bool fused) {
  std::vector<double> squares;
  double chain = 0;
  for (const double y : x) {
    squares.push_back(m.multiply(y, y));
    chain = m.fma(y, y, chain);
  }
  return m.root(fused ? chain : sum_in_order(m, squares, order));
}

// BLAS's nrm2 in one pass; divided by the largest; a chain of hypots.
std::vector<double> rescaled_norms(const Machine& m, const std::vector<double>& x) {
  double scale = 0, sum = 1, largest = 0, chain = 0;
  for (const double y : x) {
    const double a = std::fabs(y);
    largest = std::max(largest, a);
    chain = std::hypot(static_cast<float>(chain), static_cast<float>(a));
    if (a == 0) continue;
    if (scale < a) {
      const double ratio = m.divide(scale, a);
      sum = m.add(1, m.multiply(sum, m.multiply(ratio, ratio)));
      scale = a;
    } else {
      const double ratio = m.divide(a, scale);
      sum = m.add(sum, m.multiply(ratio, ratio));
    }
  }
  double divided = 0, multiplied = 0;
  for (const double y : x) {
    const double quotient = m.divide(y, largest), product = m.multiply(y, m.divide(1, largest));
    divided = m.add(divided, m.multiply(quotient, quotient));
    multiplied = m.add(multiplied, m.multiply(product, product));
  }
  return {m.multiply(scale, m.root(sum)), m.multiply(largest, m.root(divided)),
          m.multiply(largest, m.root(multiplied)), chain};
}

GradientSets sets_of(const Patterns& bits, const NumberFormat& f) {
  GradientSets sets;
  for (const std::uint64_t x : bits) sets.push_back(Admissible::of(f, x));
  return sets;
}

// Numbers that rise, so that one pass rescales its sum for each of them.
Patterns rising(std::size_t n) {
  Patterns start;
  for (std::size_t i = 0; i < n; ++i)
    start.push_back(number(binary32, 1 + 0.3 * static_cast<double>(i)).bits);
  return start;
}

TEST(Tightness, OfNorms) {
  const Machine m(binary32);
  for (const bool rescaled : {false, true}) {
    Policy policy;
    policy.norm_is_rescaled = rescaled;
    for (const std::size_t n : {2, 4, 8}) {
      if (!rescaled && n == 2) continue;  // one pattern or its neighbour
      const auto objective = [&](const Patterns& bits) {
        const Norm norm = norm_of(std::vector<GradientSets>{sets_of(bits, binary32)}, policy);
        const std::vector<double> x = doubles(bits, binary32);
        const Rational exact = rational(nearest_double(*norm.exact));
        double best = 0;
        if (rescaled)
          for (const double computed : rescaled_norms(m, x))
            best = std::max(best, reached(norm.computed, exact, computed));
        else
          for (int order = 0; order < kOrders; ++order)
            for (const bool fused : {false, true})
              best = std::max(best, reached(norm.computed, exact, plain_norm(m, x, order, fused)));
        return best;
      };
      double ratio = climb(one_and_halves(binary32, n), binary32, 1500, objective);
      if (rescaled) ratio = std::max(ratio, climb(rising(n), binary32, 1500, objective));
      expect_reached((rescaled ? "norm_rescaled_" : "norm_") + std::to_string(n), ratio);
    }
  }
}

// Each larger than the last by one part in n at most, and of many candidates the one after which
// what one pass has summed is off by most, to the side of `sign`: errors of n elements then add up,
// where climbing from outside finds only some that cancel.
Patterns ill_rising(std::size_t n, int sign) {
  std::mt19937_64 random(1);
  const float step = 0x1p-24F / static_cast<float>(n);
  float scale = 1, sum = 1;
  long double exact = 1;
  Patterns result{number(binary32, scale).bits};
  while (result.size() < n) {
    float next = 0, next_sum = 0;
    long double most = -1;
    for (int candidate = 0; candidate < 400; ++candidate) {
      const float a = scale * (1 + static_cast<float>((random() >> 40) + 1) * step);
      const float ratio = scale / a;
      const float rescaled = 1 + sum * (ratio * ratio);
      const long double squared = static_cast<long double>(a) * a;
      const long double error = sign * (rescaled * squared / (exact + squared) - 1);
      if (error <= most) continue;
      most = error;
      next = a;
      next_sum = rescaled;
    }
    scale = next;
    sum = next_sum;
    exact += static_cast<long double>(next) * next;
    result.push_back(number(binary32, next).bits);
  }
  return result;
}

TEST(Tightness, OfNormsOfManyElementsInOnePass) {
  const Machine m(binary32);
  Policy policy;
  policy.norm_is_rescaled = true;
  for (const std::size_t n : {16, 64, 256})
    for (const int sign : {1, -1}) {
      const Patterns bits = ill_rising(n, sign);
      const Norm norm = norm_of(std::vector<GradientSets>{sets_of(bits, binary32)}, policy);
      const double exact = nearest_double(*norm.exact);
      const double computed = rescaled_norms(m, doubles(bits, binary32)).front();
      EXPECT_EQ(computed > exact, sign > 0);
      expect_reached("norm_in_one_pass_" + std::to_string(n) + (sign > 0 ? "_above" : "_below"),
                     reached(norm.computed, rational(exact), computed));
    }
}

TEST(Tightness, OfNormsOfTensorNorms) {
  const Machine wide(binary32);
  for (const NumberFormat* f : {&binary16, &bfloat16, &binary32}) {
    const Machine narrow(*f);
    Policy policy;
    policy.norm_of_tensor_norms = policy.narrow_norm = true;
    const double ratio =
        climb(Patterns(9, number(*f, 1.5).bits), *f, 800, [&](const Patterns& bits) {
          std::vector<GradientSets> tensors;
          std::vector<double> norms;
          const std::vector<double> x = doubles(bits, *f);
          for (std::size_t i = 0; i < 9; i += 3) {
            tensors.push_back(sets_of(Patterns(&bits[i], &bits[i] + 3), *f));
            norms.push_back(
                narrow.narrow(plain_norm(wide, std::vector<double>(&x[i], &x[i] + 3), 0, false)));
          }
          const Norm norm = norm_of(tensors, policy);
          return reached(norm.computed, rational(nearest_double(*norm.exact)),
                         narrow.narrow(plain_norm(wide, norms, 0, false)));
        });
    // Narrowed to a short format, sets are a pattern or two.
    if (f == &binary32) expect_reached("norm_of_tensor_norms_" + std::string(f->name), ratio);
  }
}

// ---- dot products

TEST(Tightness, OfDotProducts) {
  for (const NumberFormat* f : {&binary16, &bfloat16, &binary32}) {
    const Machine m(*f);
    for (const Products products : {Products::rounded, Products::any}) {
      Patterns start = one_and_halves(*f, 8);
      start.resize(16, number(*f, 1.25).bits);
      const double ratio = climb(start, *f, 800, [&](const Patterns& bits) {
        std::vector<Number> a, b;
        std::vector<double> terms;
        Rational exact;
        double chain = 0;
        for (std::size_t i = 0; i < 8; ++i) {
          a.push_back({f, bits[i]});
          b.push_back({f, bits[i + 8]});
          const double x = as_double(a.back()), y = as_double(b.back());
          terms.push_back(m.multiply(x, y));
          chain = m.fma(x, y, chain);
          exact += value_of(a.back()) * value_of(b.back());
        }
        const Admissible set = dot_product(a, b, *f, products);
        double best = products == Products::any ? reached(set, exact, chain) : 0;
        for (int order = 0; order < kOrders; ++order)
          best = std::max(best, reached(set, exact, sum_in_order(m, terms, order)));
        return best;
      });
      expect_reached(
          (products == Products::any ? "dot_any_" : "dot_rounded_") + std::string(f->name), ratio);
    }
  }
}

// ---- finite sets: each pattern is the value of some form

TEST(Tightness, OfUnscaling) {
  std::mt19937_64 random(1);
  const Machine m(binary32);
  Policy policy;
  policy.unscale = UnscaleArithmetic::either;
  int several = 0;
  for (int i = 0; i < 3000; ++i) {
    const float s = 1 + static_cast<float>(random() >> 40), x = static_cast<float>(random() >> 40);
    const Admissible set =
        unscaled(number(binary32, x), rational(static_cast<double>(s)), binary32, policy);
    const float by_double = static_cast<float>(x * (1 / static_cast<double>(s)));
    const std::set<std::uint64_t> attained{m.bits(static_cast<double>(x / s)),
                                           m.bits(static_cast<double>(x * (1 / s))),
                                           m.bits(static_cast<double>(by_double))};
    for (const std::uint64_t bits : attained) ASSERT_TRUE(set.contains(bits));
    for (const std::uint64_t bits : set.patterns())
      ASSERT_TRUE(attained.contains(bits)) << set.to_string();
    if (attained.size() > 1) ++several;
  }
  EXPECT_GT(several, 300);
}

// The ends of what a clip by a known norm gives are values of the formula.
TEST(Tightness, OfClips) {
  std::mt19937_64 random(2);
  const Machine m(binary32);
  for (const ClipFormula formula : {ClipFormula::quotient, ClipFormula::reciprocal_product}) {
    Policy policy;
    policy.clip_formula = formula;
    int ends = 0, attained = 0;
    for (int i = 0; i < 2000; ++i) {
      const double n = static_cast<float>(1 + static_cast<double>(random() >> 40) * 0x1p-20);
      const double g = static_cast<float>(n * static_cast<double>(random() >> 40) * 0x1p-24);
      const double limit = static_cast<float>(n * 0x1p-26 * static_cast<double>(random() >> 40));
      if (limit == 0 || g == 0) continue;
      const Norm norm{Admissible::of(number(binary32, n)), std::nullopt, std::nullopt};
      const Admissible set = clipped_by_norm(Admissible::of(number(binary32, g)), norm,
                                             number(binary32, limit), policy);
      const double r = m.divide(1, n);
      std::set<std::uint64_t> forms{number(binary32, g * limit / n).bits};
      if (formula == ClipFormula::quotient)
        for (const double x : {m.multiply(g, m.divide(limit, n)), m.divide(m.multiply(g, limit), n),
                               m.multiply(m.divide(g, n), limit), m.divide(g, m.divide(n, limit))})
          forms.insert(m.bits(x));
      else
        for (const double x :
             {m.multiply(g, m.multiply(r, limit)), m.multiply(m.multiply(g, limit), r),
              m.multiply(m.multiply(g, r), limit)})
          forms.insert(m.bits(x));
      for (const std::uint64_t bits : forms) ASSERT_TRUE(set.contains(bits));
      for (const std::uint64_t end : {set.lowest(), set.highest()}) {
        ++ends;
        if (forms.contains(end)) ++attained;
      }
    }
    EXPECT_EQ(ends, attained) << static_cast<int>(formula);
  }
}

// ---- token means

TEST(Tightness, OfTokenMeans) {
  for (const NumberFormat* f : {&binary16, &bfloat16, &binary32}) {
    const Machine m(*f), wide(binary32);
    for (const double count : {7.0, 16.0}) {
      const double ratio =
          climb(Patterns(5, number(*f, 1.5).bits), *f, 800, [&](const Patterns& bits) {
            std::vector<TokenTerm> terms;
            for (const std::uint64_t x : bits) terms.push_back({{f, x}, 1});
            const Admissible set = token_mean(terms, static_cast<std::int64_t>(count), 1,
                                              number(binary32, 1001), binary32, {});
            const std::vector<double> c = doubles(bits, *f);
            const Rational exact = exact_sum(c) * 1001 / static_cast<std::int64_t>(count);
            double best = 0;
            for (const double factor :
                 {wide.divide(1001, count), wide.multiply(1001, wide.divide(1, count))}) {
              std::vector<double> products;
              for (const double x : c) products.push_back(m.multiply(factor, x));
              for (int order = 0; order < kOrders; ++order) {
                best = std::max(best, reached(set, exact, sum_in_order(wide, products, order)));
                best = std::max(
                    best, reached(set, exact, wide.multiply(factor, sum_in_order(wide, c, order))));
              }
            }
            return best;
          });
      expect_reached(
          "token_mean_" + std::string(f->name) + "_" + std::to_string(static_cast<int>(count)),
          ratio);
    }
  }
}

}  // namespace
}  // namespace ampcheck::reference
