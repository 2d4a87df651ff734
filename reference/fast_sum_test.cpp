// The fast judges of sums and norms give the sets of the exact path, or nothing.
#include "reference/fast_sum.hpp"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>
#include <vector>

#include "reference/error_bounds.hpp"
#include "reference/fast_support_test.hpp"

namespace ampcheck::reference {
namespace {

// Terms of a format, up to `spread` binades apart, about a random place or, every fourth time,
// about the largest numbers; sometimes special ones and zeros.
std::vector<std::uint64_t> some_terms(std::mt19937_64& random, const NumberFormat& f, int count,
                                      std::uint64_t spread, bool finite) {
  const std::uint64_t fields = f.magnitude_mask() >> f.fraction_bits;
  const bool high = random() % 4 == 0;
  const std::uint64_t base =
      high ? fields - std::min(fields, random() % 3) : random() % (fields + 1);
  std::vector<std::uint64_t> result;
  while (static_cast<int>(result.size()) < count) {
    const std::uint64_t bits = random();
    const std::uint64_t down = std::min(base, bits % spread);
    std::uint64_t term = ((base - down) << f.fraction_bits) | ((bits >> 8) & f.fraction_mask());
    if ((bits >> 60) == 0) term = 0;
    if ((bits >> 60) < 3) term = term & ~(f.fraction_mask() >> 1);
    if ((bits >> 59) % 3 != 0) term |= f.sign_bit();
    if (!f.is_finite(term) && (finite || (bits >> 50) % 8 != 0)) continue;
    result.push_back(term);
  }
  return result;
}

struct Share {
  std::int64_t answered = 0, refused = 0;
};

void check_sums(const NumberFormat& terms, const NumberFormat& accumulator, std::uint64_t spread,
                int rounds, Share& share) {
  std::mt19937_64 random(31);
  const fast::Format format(terms);
  for (int i = 0; i < rounds; ++i) {
    const int count = i % 50 == 49 ? 300 : 1 + static_cast<int>(random() % 9);
    fast::Sum fast_sum(accumulator);
    Sum exact_sum(accumulator);
    std::string what = std::string(terms.name) + " in " + std::string(accumulator.name) + ":";
    for (const std::uint64_t bits : some_terms(random, terms, count, spread, false)) {
      fast_sum.add(bits, format);
      exact_sum.add(Admissible::of(terms, bits));
      if (count < 12) what += " " + to_hex_float(bits, terms);
    }
    const auto found = fast_sum.result({});
    found ? ++share.answered : ++share.refused;
    if (found) same(exact_sum.result({}), *found, what);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(FastSum, AgreesInEveryAccumulator) {
  for (const NumberFormat* f : {&float8_e4m3fn, &float8_e5m2, &float8_e4m3fnuz, &float8_e5m2fnuz,
                                &binary16, &bfloat16, &tf32, &binary32}) {
    Share share;
    check_sums(*f, *f, 8, 4000, share);
    check_sums(*f, *f, 30, 2000, share);
    check_sums(*f, binary32, 8, 2000, share);
    check_sums(binary32, *f, 6, 2000, share);
    EXPECT_GT(share.answered, 5 * share.refused) << f->name;
  }
}

TEST(FastSum, AgreesOnLongSums) {
  std::mt19937_64 random(32);
  for (const NumberFormat* f : {&float8_e4m3fn, &float8_e5m2, &bfloat16, &binary16}) {
    fast::Sum fast_sum(*f);
    Sum exact_sum(*f);
    for (int i = 0; i < 6000; ++i) {
      const std::uint64_t bits = random() & (f->max_finite() >> 1 | f->sign_bit());
      fast_sum.add(bits, fast::Format(*f));
      exact_sum.add(Admissible::of(*f, bits));
      if (i % 500 != 0 && i > 100) continue;
      const auto found = fast_sum.result({});
      if (found) same(exact_sum.result({}), *found, std::string(f->name));
      if (HasFatalFailure()) return;
    }
  }
}

// The fractions are the rationals of error_bounds.hpp.
TEST(FastBounds, AreThoseOfTheExactPath) {
  const auto value = [](const fast::Fraction& x) {
    return Rational(static_cast<std::int64_t>(x.numerator)) /
           Rational(static_cast<std::int64_t>(x.denominator));
  };
  for (const NumberFormat* f : {&float8_e5m2, &float8_e4m3fn, &bfloat16, &binary16, &binary32})
    for (const std::int64_t n : {0, 1, 2, 3, 4, 5, 6, 7, 8, 100, 10000, (1 << 20) - 1}) {
      const auto terms = static_cast<std::size_t>(n);
      ASSERT_EQ(summation_bound(terms, *f), value(fast::summation_bound(n, f->precision())))
          << f->name << ", " << n << " terms";
      if (relative_error(*f) * n >= Rational(2)) continue;
      ASSERT_EQ(growth_bound(terms, *f), value(fast::growth_bound(n, f->precision())))
          << f->name << ", " << n << " roundings";
    }
}

// A rule of accumulation.hpp each, by a sum that the rule decides.
TEST(FastSum, KeepsTheRulesOfSums) {
  struct Case {
    const char* rule;
    const NumberFormat* format;
    std::vector<std::uint64_t> terms;
    std::size_t patterns;  // none but NaN, one, or the two ends of an interval
  };
  const Case cases[] = {
      // 1 + 2^-24, a tie.
      {"one addition is one rounding", &binary32, {0x3f800000, 0x33800000}, 1},
      {"zeros are no terms", &binary32, {0x3f800000, 0, 0x33800000, 0x80000000}, 1},
      {"the third addend rounds again", &binary32, {0x3f800000, 0x33800000, 0x33800000}, 2},
      // Of 8, three bits: 8·(1+3u) is 11, half way to 12, which is even. The power of 1+v, less by
      // u³, would end at 10.
      {"four terms have (n-1)u", &float8_e5m2, {0x38, 0x38, 0x3c, 0x46}, 2},
      // 64u is 8.
      {"one sign stays", &float8_e5m2, std::vector<std::uint64_t>(65, 0x3f), 2},
      {"the negative one too", &float8_e5m2, std::vector<std::uint64_t>(65, 0xbf), 2},
      {"its own infinity only", &float8_e5m2, {0x7b, 0x7b, 0x04}, 1},
      {"the negative one too", &float8_e5m2, {0xfb, 0xf9, 0xe5, 0x85}, 1},
      {"it may overflow and need not", &binary16, {0x7bff, 0x4b80, 0x3c00}, 2},
      {"terms of both signs are NaN then", &binary16, {0x7bff, 0x4c00, 0xbc00, 0xbc01}, 2},
      {"NaN stays", &binary16, {0x3c00, 0x7e00, 0x7c00}, 0},
      {"infinities of both signs are NaN", &binary16, {0x7c00, 0x3c00, 0xfc00}, 0},
      // 461·(1 ± ((1+v)² - 1)), of which 464 and more is NaN.
      {"beyond the largest number or not", &float8_e4m3fn, {0x7e, 0x54, 0x38}, 2},
      {"the lowest one too", &float8_e4m3fn, {0xfe, 0xd4, 0xb8}, 2},
      {"beyond it in any case", &float8_e4m3fn, {0x7e, 0x7e}, 0},
      // 65472·(1+v) is below the threshold, 65472·(1+v)² above it.
      {"n-1 terms overflow", &binary16, {0x7bfe, 0xbc00, 0xbc01}, 2},
  };
  for (const Case& one : cases) {
    fast::Sum fast_sum(*one.format);
    Sum exact_sum(*one.format);
    for (const std::uint64_t bits : one.terms) {
      fast_sum.add(bits, fast::Format(*one.format));
      exact_sum.add(Admissible::of(*one.format, bits));
    }
    const auto found = fast_sum.result({});
    ASSERT_TRUE(found) << one.rule;
    const Admissible exact = exact_sum.result({});
    EXPECT_EQ(one.patterns, exact.patterns().size()) << one.rule << ": " << exact.to_string();
    same(exact, *found, one.rule);
  }
}

// (1+v)^k - 1 against k·u: which of them is smaller decides the bound.
TEST(FastSum, KnowsTheSmallerBound) {
  for (int p = 2; p <= 24; ++p) {
    const Rational u = Rational::power_of_two(-p), v = u / (Rational(1) + u);
    Rational power(1);
    for (std::int64_t k = 1; k <= 64; ++k) {
      power *= Rational(1) + v;
      ASSERT_EQ(k <= 3, power - 1 < u * k) << p << " bits, " << k << " additions";
    }
  }
}

TEST(FastSum, LeavesTheRestToTheExactPath) {
  EXPECT_THROW(fast::Sum{binary64}, std::invalid_argument);
  EXPECT_THROW(fast::Sum{float4_e2m1fn}, std::invalid_argument);
  const fast::Format f(binary32);
  fast::Sum sum(binary32);
  sum.add(0x3f800000, f);
  Policy flushing;
  flushing.may_flush = true;
  EXPECT_FALSE(sum.result(flushing));
  EXPECT_TRUE(sum.result({}));
  sum.add(1, f);  // 2^-149 beside 1
  EXPECT_FALSE(sum.result({}));
}

void check_norms(const NumberFormat& f, std::uint64_t spread, int rounds, Share& share) {
  std::mt19937_64 random(33);
  for (int i = 0; i < rounds; ++i) {
    Policy policy;
    policy.narrow_norm = i % 2 == 0;
    const int count = i % 50 == 49 ? 500 : 1 + static_cast<int>(random() % 9);
    const std::vector<std::uint64_t> elements = some_terms(random, f, count, spread, true);
    std::vector<GradientSets> tensors(1);
    std::string what = std::string(f.name) + ":";
    for (const std::uint64_t bits : elements) {
      tensors[0].push_back(Admissible::of(f, bits));
      if (count < 12) what += " " + to_hex_float(bits, f);
    }
    const auto found = fast::norm(elements, f, policy);
    found ? ++share.answered : ++share.refused;
    if (!found) continue;
    const Admissible exact = norm_of(tensors, policy).computed;
    ASSERT_EQ(exact.format().name, fast::norm_format(f, policy).name);
    same(exact, *found, what);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(FastNorm, AgreesInEveryFormat) {
  for (const NumberFormat* f : {&float8_e4m3fn, &float8_e5m2, &float8_e4m3fnuz, &float8_e5m2fnuz,
                                &binary16, &bfloat16, &tf32, &binary32}) {
    Share share;
    check_norms(*f, 2, 1500, share);
    check_norms(*f, 8, 1500, share);
    check_norms(*f, 20, 500, share);
    // What the wide formats have in their lower half is lost in binary32, and is refused.
    EXPECT_GT(share.answered, f->exponent_bits < 8 ? 5 * share.refused : 2500) << f->name;
  }
}

// 2 to 64 elements of three binades, about where gradients lie.
TEST(FastNorm, AnswersOrdinaryTensors) {
  std::mt19937_64 random(34);
  for (const NumberFormat* f : {&binary16, &bfloat16, &binary32}) {
    Share share;
    for (int i = 0; i < 600; ++i) {
      Policy policy;
      policy.narrow_norm = i % 2 == 0;
      const auto bias = static_cast<std::uint64_t>(f->bias());
      const std::uint64_t base = bias - std::min<std::uint64_t>(bias / 3, 20) + random() % 8;
      std::vector<std::uint64_t> elements;
      std::vector<GradientSets> tensors(1);
      for (std::uint64_t left = 2 + random() % 63; left != 0; --left) {
        const std::uint64_t bits = random();
        elements.push_back((base + bits % 3) << f->fraction_bits |
                           ((bits >> 8) & f->fraction_mask()) |
                           ((bits & 128) != 0 ? f->sign_bit() : 0));
        tensors[0].push_back(Admissible::of(*f, elements.back()));
      }
      const auto found = fast::norm(elements, *f, policy);
      found ? ++share.answered : ++share.refused;
      if (found) same(norm_of(tensors, policy).computed, *found, std::string(f->name));
      if (HasFatalFailure()) return;
    }
    EXPECT_GT(share.answered, 100 * share.refused) << f->name;
  }
}

// So many that (n-1)·u and the bound for terms that are not rounded first are patterns apart.
TEST(FastNorm, AgreesOnLongTensors) {
  std::mt19937_64 random(35);
  for (const NumberFormat* f : {&bfloat16, &binary32}) {
    std::vector<std::uint64_t> elements;
    std::vector<GradientSets> tensors(1);
    for (int i = 0; i < 20000; ++i) {
      const std::uint64_t one = static_cast<std::uint64_t>(f->bias()) << f->fraction_bits;
      elements.push_back(one | (random() & f->fraction_mask()));
      tensors[0].push_back(Admissible::of(*f, elements.back()));
    }
    const auto found = fast::norm(elements, *f, {});
    ASSERT_TRUE(found) << f->name;
    same(norm_of(tensors, {}).computed, *found, std::string(f->name));
  }
}

// Squares of 24 bits are numbers of binary32, and so is 9·2^124, which is above 2^127: (n-1)·u
// holds.
TEST(FastNorm, AgreesOnLongTensorsOfExactSquares) {
  std::mt19937_64 random(36);
  std::vector<std::uint64_t> elements{0x5f400000};  // 3·2^62
  for (int i = 0; i < 20000; ++i)                   // odd numbers from 2897 to 4095, times 2^40
    elements.push_back(0x597ff000 - 0x2000 * (random() % 600));
  std::vector<GradientSets> tensors(1);
  for (const std::uint64_t bits : elements) tensors[0].push_back(Admissible::of(binary32, bits));
  const auto found = fast::norm(elements, binary32, {});
  ASSERT_TRUE(found);
  same(norm_of(tensors, {}).computed, *found, "long");
}

// Where few elements have a set of few patterns, and where squares are lost.
TEST(FastNorm, KeepsTheRulesOfNorms) {
  struct Case {
    const char* rule;
    const NumberFormat* format;
    std::vector<std::uint64_t> elements;
  };
  const Case cases[] = {
      {"one element", &binary32, {0x3f812345}},
      {"one element and zeros", &binary32, {0, 0x3f812345, 0x80000000}},
      {"two elements", &binary32, {0x3f812345, 0x3f8abcde}},
      // √(a² + b²) is 2^-53 or less from half way between two numbers of binary32, which binary64
      // takes for the middle.
      {"only binary64 goes up", &binary32, {0x3f80010f, 0x39b505b3}},
      {"only the exact norm goes up", &binary32, {0x3f800138, 0x39b505d0}},
      {"no addition rounds", &binary16, {0x3c00, 0x4000, 0x4000, 0x4200}},
      // 4095² + 90² + 9² + 3² is 2^24 - 1, and with 1² more 2^24.
      {"a sum that is the largest number",
       &binary32,
       {0x5f7ff000, 0x5cb40000, 0x5b100000, 0x5a400000}},
      {"no addition rounds up to 2^24",
       &binary32,
       {0x457ff000, 0x42b40000, 0x41100000, 0x40400000, 0x3f800000}},
      {"an element whose square overflows", &binary32, {0x7f000000}},
      {"two of them", &bfloat16, {0x5f80, 0x5f00}},
      {"a norm that overflows where it is narrowed", &binary16, {0x7bff, 0x7bff, 0x7bff}},
      {"a norm at the largest number", &float8_e4m3fn, {0x7e, 0x58, 0x31}},
      {"norms beyond it, of a sum that rounds", &float8_e4m3fn, {0x7e, 0x7e, 0x01}},
      {"squares below eta, and one above", &binary32, {0x1a000000, 0x1a400001, 0x22000001}},
      {"subnormal squares", &binary32, {0x1f812345, 0x1f8abcde, 0x1f812346, 0x1fa00001}},
      {"nothing but zeros", &binary32, {0, 0x80000000}},
  };
  for (const Case& one : cases)
    for (const bool narrow : {false, true}) {
      Policy policy;
      policy.narrow_norm = narrow;
      std::vector<GradientSets> tensors(1);
      for (const std::uint64_t bits : one.elements)
        tensors[0].push_back(Admissible::of(*one.format, bits));
      const auto found = fast::norm(one.elements, *one.format, policy);
      ASSERT_TRUE(found) << one.rule;
      same(norm_of(tensors, policy).computed, *found, one.rule);
    }
  // {0, 2^-76}: not the interval between them.
  EXPECT_FALSE(fast::norm(std::vector<std::uint64_t>{0x19800000}, binary32, {}));
}

TEST(FastNorm, LeavesTheRestToTheExactPath) {
  const std::vector<std::uint64_t> three{0x40400000}, apart{0x3f800000, 1}, inf{0x7f800000};
  EXPECT_TRUE(fast::norm(three, binary32, {}));
  EXPECT_FALSE(fast::norm(apart, binary32, {}));
  EXPECT_FALSE(fast::norm(inf, binary32, {}));
  EXPECT_FALSE(fast::norm(three, binary64, {}));
  Policy policy;
  policy.may_flush = true;
  EXPECT_FALSE(fast::norm(three, binary32, policy));
  policy = {};
  policy.norm_is_rescaled = true;
  EXPECT_FALSE(fast::norm(three, binary32, policy));
  policy = {};
  policy.norm_of_tensor_norms = true;
  EXPECT_FALSE(fast::norm(three, binary32, policy));
}

}  // namespace
}  // namespace ampcheck::reference
