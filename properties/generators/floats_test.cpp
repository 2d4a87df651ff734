#include "properties/generators/floats.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "reference/rounding.hpp"
#include "subject/names.hpp"

namespace ampcheck::properties {
namespace {

// Every class makes a tenth of draw_any; below half of that a generator no longer reaches it.
constexpr int kDraws = 20000;
constexpr double kQuota = 0.05;

TEST(Floats, EveryClassHasItsShareInEveryFormat) {
  for (const NumberFormat* format : subject::kFormats) {
    const NumberFormat& f = *format;
    std::array<int, kFloatClasses> counts{};
    int negative = 0;
    Draw draw(1, f.name, 0);
    for (int i = 0; i < kDraws; ++i) {
      const std::uint64_t bits = draw_any(draw, f);
      ASSERT_TRUE(f.holds(bits));
      ++counts[static_cast<std::size_t>(float_class_of(bits, f))];
      negative += f.is_negative(bits) ? 1 : 0;
    }
    for (int c = 0; c < kFloatClasses; ++c) {
      const bool lacks = static_cast<FloatClass>(c) == FloatClass::infinity && !f.has_infinity();
      const double share = counts[static_cast<std::size_t>(c)] / static_cast<double>(kDraws);
      if (lacks)
        EXPECT_EQ(share, 0) << f.name;
      else
        EXPECT_GE(share, kQuota) << f.name << " class " << c;
    }
    EXPECT_NEAR(negative / static_cast<double>(kDraws), 0.5, 0.05) << f.name;
  }
}

TEST(Floats, NonFiniteAreInfinitiesAndNansOfManyPayloads) {
  std::set<std::uint64_t> seen;
  Draw draw(1, "non-finite", 0);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t bits = draw_non_finite(draw, reference::binary32);
    ASSERT_FALSE(reference::binary32.is_finite(bits));
    seen.insert(bits);
  }
  EXPECT_TRUE(seen.contains(0x7f800000));
  EXPECT_TRUE(seen.contains(0xff800000));
  EXPECT_GT(seen.size(), 400u);
}

TEST(Floats, NormalNumbersKeepTheirExponents) {
  Draw draw(1, "normal", 0);
  for (const NumberFormat* f : subject::kFormats)
    for (int i = 0; i < 2000; ++i) {
      const std::uint64_t bits = draw_normal(draw, *f, -3, 2);
      ASSERT_TRUE(f->is_normal(bits));
      const int exponent = reference::value_of(bits, *f).abs().floor_log2();
      ASSERT_GE(exponent, -3);
      ASSERT_LE(exponent, 2);
    }
}

TEST(Floats, DyadicIsTheNumberOrAnError) {
  for (const NumberFormat* format : subject::kFormats)
    for (std::int64_t integer = -20; integer <= 20; ++integer) {
      const NumberFormat& f = *format;
      for (int exponent = f.min_quantum() - 6; exponent <= f.max_exponent() + 2; ++exponent) {
        const reference::Rational exact = reference::Rational::dyadic(integer, exponent);
        if (reference::is_representable(exact, f))
          ASSERT_EQ(reference::value_of(dyadic(integer, exponent, f), f), exact) << f.name;
        else
          ASSERT_THROW(dyadic(integer, exponent, f), std::logic_error) << f.name;
      }
    }
}

}  // namespace
}  // namespace ampcheck::properties
