// The fast judges of sums and norms give the sets of the exact path, or nothing.
#include "reference/fast_sum.hpp"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>
#include <vector>

#include "reference/accumulation.hpp"
#include "reference/fast_norm.hpp"
#include "reference/norm.hpp"

namespace ampcheck::reference {
namespace {

// The same ends, and the same answers about them, their neighbours, and what is not finite.
void same(const Admissible& exact, const fast::Range& found, const std::string& what) {
  const NumberFormat& f = exact.format();
  const fast::Format fast(f);
  ASSERT_EQ(exact.has_ends(), found.has_numbers) << what << ": " << exact.to_string();
  std::vector<std::uint64_t> asked{0, f.sign_bit(), f.nan(), f.max_finite(), f.lowest()};
  if (f.has_infinity()) asked.insert(asked.end(), {f.infinity(), f.infinity() | f.sign_bit()});
  if (exact.has_ends()) {
    ASSERT_EQ(fast::Range::key(exact.lowest(), fast), found.low) << what << exact.to_string();
    ASSERT_EQ(fast::Range::key(exact.highest(), fast), found.high) << what << exact.to_string();
    const std::uint64_t all = f.sign_bit() | f.magnitude_mask();
    for (const std::uint64_t end : {exact.lowest(), exact.highest()})
      asked.insert(asked.end(), {end, (end + 1) & all, (end - 1) & all, end ^ f.sign_bit()});
  }
  for (const std::uint64_t bits : asked)
    ASSERT_EQ(exact.contains(bits), found.contains(bits, fast))
        << what << ": " << to_hex_bits(bits, f) << " in " << exact.to_string();
}

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
