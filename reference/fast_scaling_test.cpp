// The fast judges of rule 1 answer as the exact path does, yes and no.
#include "reference/fast_scaling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "reference/scaling.hpp"
#include "reference/share_test.hpp"

namespace ampcheck::reference {
namespace {

constexpr UnscaleArithmetic kArithmetics[] = {
    UnscaleArithmetic::division, UnscaleArithmetic::reciprocal_binary32,
    UnscaleArithmetic::reciprocal_binary64, UnscaleArithmetic::either};

// 2^-149 … 2^127.
std::vector<Number> powers_of_two() {
  std::vector<Number> result;
  for (int exponent = -149; exponent <= 127; ++exponent)
    result.push_back({&binary32, round_to(Rational::power_of_two(exponent), binary32)});
  return result;
}

// Positive and finite: binary32 and binary64 over their whole range, long scales inside that of
// binary32, short formats, and the ends of each.
std::vector<Number> other_scales(std::size_t count) {
  std::vector<Number> result{
      {&binary32, 1},
      {&binary32, 0x007fffff},
      {&binary32, binary32.max_finite()},
      {&binary64, 1},
      {&binary64, binary64.max_finite()},
      {&binary64, 0x47f0000000000000},  // 2^128, inf in binary32
      {&binary64, 0x40f000014ccccccd},  // 65537.3
      {&binary16, 0x4248},
      {&bfloat16, 0x7f7f},
  };
  std::mt19937_64 random(5);
  while (result.size() < count) {
    const std::uint64_t bits = random();
    const Number one = bits % 3 == 0   ? Number{&binary32, bits >> 33}
                       : bits % 3 == 1 ? Number{&binary64, bits >> 1}
                                       : Number{&binary64, (bits >> 12) | 0x4100000000000000};
    if (one.is_finite() && one.bits != 0) result.push_back(one);
  }
  return result;
}

// The patterns of the exact set as the fast path writes them.
std::vector<std::uint64_t> canonical(const Admissible& set) {
  std::vector<std::uint64_t> result = set.patterns();
  if (set.contains(set.format().nan())) result.push_back(set.format().nan());
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<std::uint64_t> sorted(const fast::Patterns& patterns) {
  std::vector<std::uint64_t> result(patterns.bits.begin(), patterns.bits.begin() + patterns.count);
  std::sort(result.begin(), result.end());
  return result;
}

// Results worth asking about: the set, its neighbours and their negatives, and what stands apart.
std::vector<std::uint64_t> questions(const std::vector<std::uint64_t>& set, const NumberFormat& f) {
  const std::uint64_t all = f.sign_bit() | f.magnitude_mask();
  std::vector<std::uint64_t> result{0, f.sign_bit(), f.nan(), all, f.max_finite()};
  if (f.has_infinity()) result.insert(result.end(), {f.infinity(), f.infinity() | f.sign_bit()});
  for (const std::uint64_t bits : set)
    result.insert(result.end(),
                  {bits, (bits + 1) & all, (bits - 1) & all, bits ^ f.sign_bit(), bits ^ 2});
  return result;
}

class Comparison {
 public:
  // Of one x: the whole set, and the answers to `questions` of it.
  void unscaling(const fast::Unscaling& judge, const Number& x, const Rational& scale,
                 const NumberFormat& output, const Policy& policy) {
    const Admissible exact = unscaled(x, scale, output, policy);
    const std::vector<std::uint64_t> wanted = canonical(exact);
    ASSERT_EQ(wanted, sorted(judge.patterns(x.bits)))
        << to_hex_bits(x.bits, *x.format) << " of " << x.format->name << " by " << scale.to_string()
        << " to " << output.name << ": " << exact.to_string();
    for (const std::uint64_t bits : questions(wanted, output)) {
      const bool yes = exact.contains(bits);
      (yes ? yes_ : no_) += 1;
      ASSERT_EQ(yes, judge.admits(x.bits, bits))
          << to_hex_bits(bits, output) << " for " << to_hex_bits(x.bits, *x.format) << " of "
          << x.format->name << " by " << scale.to_string() << ": " << exact.to_string();
    }
  }
  std::int64_t yes() const { return yes_; }
  std::int64_t no() const { return no_; }

 private:
  std::int64_t yes_ = 0, no_ = 0;
};

Policy with(UnscaleArithmetic arithmetic, const NumberFormat& width) {
  Policy policy;
  policy.unscale = arithmetic;
  policy.unscale_format = &width;
  return policy;
}

// Every `step`th pattern from `start` on, by each scale, in each arithmetic.
void check_unscaling(const NumberFormat& f, const NumberFormat& output, const NumberFormat& width,
                     const std::vector<Number>& scales, std::uint64_t step, std::uint64_t start) {
  Comparison comparison;
  for (const Number& scale : scales)
    for (const UnscaleArithmetic arithmetic : kArithmetics) {
      const Policy policy = with(arithmetic, width);
      const auto judge = fast::Unscaling::make(f, scale, output, policy);
      ASSERT_TRUE(judge) << f.name << " to " << output.name;
      const Rational exact_scale = value_of(scale);
      for (std::uint64_t bits = start; bits >> f.width == 0; bits += step) {
        comparison.unscaling(*judge, {&f, bits}, exact_scale, output, policy);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  EXPECT_GT(comparison.yes(), 0);
  EXPECT_GT(comparison.no(), comparison.yes());
}

class FastUnscalingOf8Bits : public testing::TestWithParam<const NumberFormat*> {};
INSTANTIATE_TEST_SUITE_P(, FastUnscalingOf8Bits,
                         testing::Values(&float8_e4m3fn, &float8_e5m2, &float8_e4m3fnuz,
                                         &float8_e5m2fnuz),
                         [](const auto& one) { return std::string(one.param->name); });

TEST_P(FastUnscalingOf8Bits, AgreesByEveryPowerOfTwo) {
  check_unscaling(*GetParam(), *GetParam(), binary32, powers_of_two(), 1, 0);
}
TEST_P(FastUnscalingOf8Bits, AgreesByOtherScales) {
  check_unscaling(*GetParam(), *GetParam(), binary32, other_scales(200), 1, 0);
}
TEST_P(FastUnscalingOf8Bits, AgreesInOtherFormats) {
  check_unscaling(*GetParam(), binary32, binary32, other_scales(60), 1, 0);
  check_unscaling(*GetParam(), binary16, binary64, other_scales(60), 1, 0);
  check_unscaling(*GetParam(), bfloat16, binary16, other_scales(60), 1, 0);
  check_unscaling(*GetParam(), float8_e4m3fn, bfloat16, other_scales(60), 1, 0);
}

TEST(FastUnscaling, AgreesOn16BitsByEveryPowerOfTwo) {
  std::mt19937_64 random(97);
  for (const NumberFormat* f : {&binary16, &bfloat16})
    check_unscaling(*f, *f, binary32, powers_of_two(), 97 * kShare, random() % 97);
  // Working numbers that do not reach as far as those that are unscaled.
  check_unscaling(bfloat16, bfloat16, binary16, powers_of_two(), 499 * kShare, random() % 499);
}

TEST(FastUnscaling, AgreesOn16BitsByOtherScales) {
  std::mt19937_64 random(98);
  for (const NumberFormat* f : {&binary16, &bfloat16}) {
    check_unscaling(*f, *f, binary32, other_scales(100), 97 * kShare, random() % 97);
    check_unscaling(*f, binary32, binary64, other_scales(60), 97 * kShare, random() % 97);
  }
}

TEST(FastUnscaling, AgreesOnAMillionOfBinary32) {
  std::mt19937_64 random(6);
  std::vector<Number> scales = powers_of_two();
  const std::vector<Number> others = other_scales(400);
  scales.insert(scales.end(), others.begin(), others.end());
  Comparison comparison;
  for (int i = 0; i < 1'000'000 / 200 / kShare; ++i) {
    const Number& scale = scales[random() % scales.size()];
    const Rational exact_scale = value_of(scale);
    const NumberFormat* outputs[] = {&binary32, &binary32, &binary16, &bfloat16};
    const NumberFormat& output = *outputs[random() % 4];
    const Policy policy = with(kArithmetics[random() % 4], random() % 2 == 0 ? binary32 : binary64);
    const auto judge = fast::Unscaling::make(binary32, scale, output, policy);
    ASSERT_TRUE(judge);
    for (int j = 0; j < 200; ++j) {
      const std::uint64_t bits = random();
      std::uint64_t x = bits >> 32;
      if (j % 4 == 1) {
        const std::uint64_t boundaries[] = {0, binary32.min_normal(), binary32.max_finite(),
                                            0x3f800000};
        x = (boundaries[bits % 4] + (bits >> 8) % 9 - 4) & 0xffffffff;
      } else if (j % 4 == 2) {
        // The quotient lies about the largest or the smallest numbers of the output.
        const Rational end =
            value_of(bits % 2 == 0 ? output.max_finite() : bits / 2 % 16 + 1, output);
        x = (round_to(end * exact_scale, binary32) + (bits >> 8) % 5 - 2) & 0xffffffff;
      }
      comparison.unscaling(*judge, {&binary32, x}, exact_scale, output, policy);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(comparison.yes(), 1'000'000 / kShare);
  EXPECT_GT(comparison.no(), 1'000'000 / kShare);
}

// One x, worked out by hand: the set, which the exact path has, too, and a yes to each of it.
void check_one(const NumberFormat& f, std::uint64_t x, const Number& scale,
               const NumberFormat& output, const Policy& policy,
               const std::vector<std::uint64_t>& wanted) {
  const auto judge = fast::Unscaling::make(f, scale, output, policy);
  ASSERT_TRUE(judge);
  EXPECT_EQ(wanted, sorted(judge->patterns(x)));
  Comparison().unscaling(*judge, {&f, x}, value_of(scale), output, policy);
}

// S = 2^-128·(1 + 0.625·2^-24) is 2^-128 in binary32, whose reciprocal is inf; that of S itself is
// the largest number. By it 0.75 becomes 1.5·2^127 less 0.75 of the last place, exactly less 0.47.
TEST(FastUnscaling, TakesReciprocalsUpToTheLargestNumber) {
  check_one(binary32, 0x3f400000, {&binary64, 0x37f000000a000000}, binary32,
            with(UnscaleArithmetic::reciprocal_binary32, binary32),
            {0x7f3fffff, 0x7f400000, 0x7f800000});
}

// S = 2^128·(1 - 0.5625·2^-24) is the largest number of binary32, 2^128·(1 - 2^-24). By it 1536
// becomes 1.5·2^-118 and 0.75 of the last place, exactly 0.42.
TEST(FastUnscaling, DividesByTheLargestNumber) {
  check_one(binary32, 0x44c00000, {&binary64, 0x47efffffee000000}, binary32,
            with(UnscaleArithmetic::division, binary32), {0x04c00000, 0x04c00001});
}

// Powers of two by which a number does not just move its exponent.
TEST(FastUnscaling, KnowsWhereAPowerOfTwoDoesMore) {
  const Policy either = with(UnscaleArithmetic::either, binary32);
  // 1/2^-149 is inf in binary32. 2^-126 becomes 2^23.
  check_one(binary32, 0x00800000, {&binary32, 1}, binary32, either, {0x4b000000, 0x7f800000});
  // 1/2^150 is 0 there. 2^30 becomes 2^-120.
  check_one(binary32, 0x4e800000, {&binary64, 0x4950000000000000}, binary32, either,
            {0, 0x03800000});
  // 2^20/4 is inf in binary16.
  check_one(bfloat16, 0x4980, {&binary32, 0x40800000}, bfloat16,
            with(UnscaleArithmetic::division, binary16), {0x4880, 0x7f80});
  // 1/2 of another format.
  check_one(binary16, 0x3c00, {&binary32, 0x40000000}, binary32, either, {0x3f000000});
}

TEST(FastUnscaling, LeavesTheRestToTheExactPath) {
  const Number two{&binary32, 0x40000000};
  Policy policy;
  EXPECT_TRUE(fast::Unscaling::make(binary16, two, binary16, policy));
  EXPECT_FALSE(fast::Unscaling::make(binary64, two, binary32, policy));
  EXPECT_FALSE(fast::Unscaling::make(binary32, two, binary64, policy));
  EXPECT_FALSE(fast::Unscaling::make(float4_e2m1fn, two, binary32, policy));
  EXPECT_FALSE(fast::Unscaling::make(binary16, {&float8_e8m0fnu, 128}, binary16, policy));
  for (const std::uint64_t bad : {0x00000000, 0x7f800000, 0x7fc00000})
    EXPECT_FALSE(fast::Unscaling::make(binary16, {&binary32, bad}, binary16, policy)) << bad;
  EXPECT_FALSE(fast::Unscaling::make(binary16, {&binary32, 0xc0000000}, binary16, policy));
  policy.may_flush = true;
  EXPECT_FALSE(fast::Unscaling::make(binary16, two, binary16, policy));
  EXPECT_FALSE(fast::Delivery::make(two, binary16, binary16, policy));
  policy = {};
  policy.unscale_format = &float8_e4m3fn;  // what overflows there is NaN
  EXPECT_FALSE(fast::Unscaling::make(float8_e4m3fn, two, binary16, policy));
}

TEST(FastDelivery, LeavesTheRestToTheExactPath) {
  const Number two{&binary32, 0x40000000};
  EXPECT_TRUE(fast::Delivery::make(two, binary16, binary16, {}));
  for (const NumberFormat* f : {&binary64, &float4_e2m1fn, &float8_e8m0fnu}) {
    EXPECT_FALSE(fast::Delivery::make(two, *f, binary16, {})) << f->name;
    EXPECT_FALSE(fast::Delivery::make(two, binary16, *f, {})) << f->name;
  }
  EXPECT_FALSE(fast::Delivery::make({&float8_e8m0fnu, 128}, binary16, binary16, {}));
}

TEST(FastDelivery, OfWhatIsNotFinite) {
  const auto by = [](std::uint64_t cotangent, std::uint64_t coefficient, const NumberFormat& f) {
    return fast::Delivery::make({&binary32, cotangent}, binary16, f, {})->pattern(coefficient);
  };
  EXPECT_EQ(0x7c00u, by(0x7f800000, 0x3c00, binary16));  // inf·1
  EXPECT_EQ(0xfc00u, by(0xff800000, 0x3c00, binary16));
  EXPECT_EQ(0xfc00u, by(0x7f800000, 0xbc00, binary16));
  EXPECT_EQ(0x7c00u, by(0xbf800000, 0xfc00, binary16));     // -1·(-inf)
  EXPECT_EQ(0x7e00u, by(0x7f800000, 0x8000, binary16));     // inf·0
  EXPECT_EQ(0x7e00u, by(0x00000000, 0x7c00, binary16));     // 0·inf
  EXPECT_EQ(0x7e00u, by(0x7fc00000, 0x3c00, binary16));     // NaN
  EXPECT_EQ(0x7e00u, by(0x3f800000, 0x7e01, binary16));     // one of the coefficient
  EXPECT_EQ(0x7fu, by(0x7f800000, 0xbc00, float8_e4m3fn));  // which has no infinity
}

void check_delivery(const NumberFormat& c_format, const NumberFormat& f,
                    const std::vector<Number>& cotangents, std::uint64_t step,
                    std::uint64_t start) {
  for (const Number& given : cotangents)
    for (const std::uint64_t sign : {std::uint64_t{0}, given.format->sign_bit()}) {
      const Number cotangent{given.format, given.bits | sign};
      const auto judge = fast::Delivery::make(cotangent, c_format, f, {});
      ASSERT_TRUE(judge);
      for (std::uint64_t bits = start; bits >> c_format.width == 0; bits += step) {
        const Admissible exact = delivered(cotangent, {&c_format, bits}, f, false);
        const std::vector<std::uint64_t> wanted = canonical(exact);
        ASSERT_EQ(wanted, std::vector{judge->pattern(bits)})
            << bits << " of " << c_format.name << " times " << cotangent.bits << " to " << f.name;
        for (const std::uint64_t result : questions(wanted, f))
          ASSERT_EQ(exact.contains(result), judge->admits(bits, result))
              << result << " for " << bits << " of " << c_format.name << " times " << cotangent.bits
              << " to " << f.name;
      }
    }
}

std::vector<Number> with_special(std::vector<Number> cotangents) {
  cotangents.push_back({&binary32, 0});
  cotangents.push_back({&binary32, binary32.infinity()});
  cotangents.push_back({&binary32, binary32.nan()});
  return cotangents;
}

TEST(FastDelivery, AgreesOn8Bits) {
  for (const NumberFormat* f : {&float8_e4m3fn, &float8_e5m2, &float8_e4m3fnuz, &float8_e5m2fnuz}) {
    check_delivery(*f, *f, with_special(powers_of_two()), 1, 0);
    check_delivery(*f, binary16, with_special(other_scales(100)), 1, 0);
    check_delivery(binary16, *f, with_special(other_scales(100)), 97, 5);
  }
}

TEST(FastDelivery, AgreesOn16And32Bits) {
  std::mt19937_64 random(99);
  for (const NumberFormat* f : {&binary16, &bfloat16}) {
    check_delivery(*f, *f, with_special(powers_of_two()), 97 * kShare, random() % 97);
    check_delivery(*f, binary32, with_special(other_scales(100)), 97 * kShare, random() % 97);
  }
  check_delivery(binary32, binary16, with_special(other_scales(100)), 1'299'709, random() % 97);
  check_delivery(binary32, binary32, with_special(powers_of_two()), 1'299'709, random() % 97);
}

}  // namespace
}  // namespace ampcheck::reference
