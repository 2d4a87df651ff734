#include "reference/transcendental.hpp"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <bit>
#include <cmath>
#include <random>
#include <string>

#include "reference/rounding.hpp"
#include "reference/second_oracle.hpp"

namespace ampcheck::reference {
namespace {

Rational two_to(int exponent) { return Rational::power_of_two(exponent); }
std::uint64_t exp_in(const Rational& q, const NumberFormat& f) {
  return round_to(Transcendental::exp(q), f);
}
std::uint64_t log_in(const Rational& q, const NumberFormat& f) {
  return round_to(Transcendental::log(q), f);
}

constexpr std::pair<Rounding, mpfr_rnd_t> kModes[] = {
    {Rounding::nearest_even, MPFR_RNDN},
    {Rounding::toward_zero, MPFR_RNDZ},
    {Rounding::up, MPFR_RNDU},
    {Rounding::down, MPFR_RNDD},
};

// A function by MPFR alone: rounded correctly to the format's precision, with the format's range
// and subnormals.
class ByMpfr {
 public:
  using Function = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

  explicit ByMpfr(const second::Layout& f) : f_(f) {
    mpfr_init2(x_, 64);
    mpfr_init2(y_, f.fraction_bits + 1);
  }
  ~ByMpfr() {
    mpfr_clear(x_);
    mpfr_clear(y_);
  }
  ByMpfr(const ByMpfr&) = delete;
  ByMpfr& operator=(const ByMpfr&) = delete;

  std::uint64_t operator()(Function function, double x, mpfr_rnd_t mode) {
    const mpfr_exp_t least = mpfr_get_emin(), most = mpfr_get_emax();
    mpfr_set_d(x_, x, MPFR_RNDN);  // exact
    // MPFR's significands are below 1, so that its exponents are one larger.
    mpfr_set_emin(2 - f_.bias - f_.fraction_bits);
    mpfr_set_emax(f_.max_exponent + f_.fraction_bits + 1);
    mpfr_subnormalize(y_, function(y_, x_, mode), mode);
    const double y = mpfr_get_d(y_, MPFR_RNDN);  // exact
    mpfr_set_emin(least);
    mpfr_set_emax(most);
    return second::converted(std::bit_cast<std::uint64_t>(y), second::kLayouts[3], f_);
  }

 private:
  const second::Layout& f_;
  mpfr_t x_, y_;
};

// exp or log of a finite pattern in all modes; log only of what is above zero.
void check(ByMpfr& by_mpfr, const NumberFormat& f, std::uint64_t bits) {
  const Rational q = value_of(bits, f);
  const second::Value x = second::decode(bits, second::kLayouts[&f - kNumberFormats]);
  const double input =
      std::ldexp(static_cast<double>(static_cast<std::uint64_t>(x.significand)), x.exponent) *
      (x.negative ? -1 : 1);
  const Transcendental exponential = Transcendental::exp(q);
  for (const auto& [mode, theirs] : kModes)
    ASSERT_EQ(by_mpfr(mpfr_exp, input, theirs), round_to(exponential, f, mode))
        << "exp(" << q.to_string() << ") in " << f.name << ", mode " << static_cast<int>(mode);
  if (q.sign() <= 0) return;
  const Transcendental logarithm = Transcendental::log(q);
  for (const auto& [mode, theirs] : kModes)
    ASSERT_EQ(by_mpfr(mpfr_log, input, theirs), round_to(logarithm, f, mode))
        << "log(" << q.to_string() << ") in " << f.name << ", mode " << static_cast<int>(mode);
}

void check_all(const NumberFormat& f) {
  ByMpfr by_mpfr(second::kLayouts[&f - kNumberFormats]);
  for (std::uint64_t bits = 0; bits >> f.width == 0; ++bits) {
    if (!f.is_finite(bits)) continue;
    ASSERT_NO_FATAL_FAILURE(check(by_mpfr, f, bits));
  }
}

void check_sample(const NumberFormat& f, int count) {
  ByMpfr by_mpfr(second::kLayouts[&f - kNumberFormats]);
  std::mt19937_64 random(1);
  for (int i = 0; i < count; ++i) {
    std::uint64_t bits = random() >> (64 - f.width);
    // Half of them where exp neither overflows nor is near 1.
    if (i % 2 == 0)
      bits = (bits & ~f.exponent_mask()) | (f.exponent_mask() / 2 & f.exponent_mask());
    if (!f.is_finite(bits)) continue;
    ASSERT_NO_FATAL_FAILURE(check(by_mpfr, f, bits));
  }
}

TEST(Transcendental, RoundsAllOfBinary16AsMpfrDoes) { check_all(binary16); }
TEST(Transcendental, RoundsAllOfBfloat16AsMpfrDoes) { check_all(bfloat16); }
TEST(Transcendental, RoundsASampleOfBinary32AsMpfrDoes) { check_sample(binary32, 20000); }
TEST(Transcendental, RoundsASampleOfBinary64AsMpfrDoes) { check_sample(binary64, 10000); }

TEST(Transcendental, HasItsExactCases) {
  EXPECT_TRUE(Transcendental::exp(0).compare(1) == 0);
  EXPECT_TRUE(Transcendental::exp(0).compare(2) < 0);
  EXPECT_EQ(0, Transcendental::log(1).sign());
  EXPECT_EQ(0x3c00u, exp_in(0, binary16));
  EXPECT_EQ(0u, log_in(1, binary16));
  EXPECT_THROW(Transcendental::log(0), std::domain_error);
  EXPECT_THROW(Transcendental::log(-1), std::domain_error);
}

// Beside 1 and beside 0: the number itself, and its neighbour where the mode goes there.
TEST(Transcendental, RoundsWhatIsNearANumber) {
  for (const int e : {-30, -149, -1074, -3000}) {
    SCOPED_TRACE(e);
    const Transcendental above_one = Transcendental::exp(two_to(e));
    EXPECT_EQ(0x3f800000u, round_to(above_one, binary32));
    EXPECT_EQ(0x3f800000u, round_to(above_one, binary32, Rounding::down));
    EXPECT_EQ(0x3f800001u, round_to(above_one, binary32, Rounding::up));
    const Transcendental below_one = Transcendental::exp(-two_to(e));
    EXPECT_EQ(0x3f800000u, round_to(below_one, binary32));
    EXPECT_EQ(0x3f7fffffu, round_to(below_one, binary32, Rounding::down));
    EXPECT_EQ(0x3f800000u, round_to(below_one, binary32, Rounding::up));
  }
  // log(1+x) is a little below x.
  const Transcendental x = Transcendental::log(Rational(1) + two_to(-30));
  const std::uint64_t number = round_to(two_to(-30), binary32);
  EXPECT_EQ(number, round_to(x, binary32));
  EXPECT_EQ(number - 1, round_to(x, binary32, Rounding::down));
  EXPECT_EQ(number, round_to(x, binary32, Rounding::up));
  const Transcendental minus = Transcendental::log(Rational(1) - two_to(-30));
  EXPECT_EQ(number | 0x80000000, round_to(minus, binary32));
  EXPECT_EQ(number | 0x80000001, round_to(minus, binary32, Rounding::down));
}

// exp(2^-11) = 1 + 2^-11 + 2^-23 + … is just above the tie between 1 and its neighbour in binary16;
// the further down, the closer.
TEST(Transcendental, RoundsWhatIsNearATie) {
  for (const NumberFormat* f : {&binary16, &bfloat16, &binary32, &binary64, &tf32}) {
    SCOPED_TRACE(f->name);
    const std::uint64_t one = round_to(1, *f);
    const Rational half_step = two_to(-f->fraction_bits - 1);
    EXPECT_EQ(one + 1, exp_in(half_step, *f));
    // Just below the tie under 1, which belongs to the even 1, and just above it.
    const Rational below = half_step / 2;
    EXPECT_EQ(one, exp_in(-below, *f));
    EXPECT_EQ(one - 1, exp_in(-below - below * below, *f));
  }
}

TEST(Transcendental, OverflowsAndUnderflows) {
  EXPECT_EQ(0x7c00u, exp_in(12, binary16));
  EXPECT_EQ(0x7c00u, exp_in(two_to(100), binary16));
  EXPECT_EQ(0x7f800000u, exp_in(two_to(2000), binary32));
  EXPECT_EQ(0u, exp_in(-two_to(2000), binary64));
  EXPECT_EQ(1u, round_to(Transcendental::exp(-two_to(2000)), binary64, Rounding::up));
  EXPECT_EQ(0x7fu, exp_in(7, float8_e4m3fn));
  EXPECT_EQ(0x7eu, round_to(Transcendental::exp(7), float8_e4m3fn, Rounding::nearest_even,
                            Overflow::saturate));
  EXPECT_EQ(0xcc29u, log_in(value_of(1, binary16), binary16));  // -16.6
  EXPECT_THROW(log_in(Rational(1) / 2, float8_e8m0fnu), NotRepresentable);
  EXPECT_EQ(128u, exp_in(Rational(1) / 2, float8_e8m0fnu));  // 1.65
}

TEST(Transcendental, ComputesNoMoreThanItNeeds) {
  const Transcendental x = Transcendental::exp(Rational(1) / 3);
  round_to(x, binary64);
  EXPECT_LE(x.precision(), 128);
  const Transcendental hard = Transcendental::exp(two_to(-2148));
  EXPECT_TRUE(hard.compare(Rational(1) + two_to(-2148)) > 0);
  EXPECT_LE(hard.precision(), 1 << 13);
  EXPECT_EQ(0, Transcendental::exp(0).precision());
}

TEST(Transcendental, RefusesRatherThanGuess) {
  const Rational tiny = two_to(-70000);
  const Transcendental x = Transcendental::exp(tiny);
  EXPECT_TRUE(x.compare(1) > 0);
  try {
    x.compare(Rational(1) + tiny);
    FAIL();
  } catch (const PrecisionExceeded& error) {
    EXPECT_NE(std::string::npos, std::string(error.what()).find("more than 65536 bits"));
  }
  EXPECT_TRUE(x.compare(2) < 0);
}

}  // namespace
}  // namespace ampcheck::reference
