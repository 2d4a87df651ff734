// A second, naive oracle: formats decoded and encoded field by field from their definitions, and
// rounding done long-hand on integers of 128 bits. Tests and `ampcheck selftest --oracle` hold the
// first oracle to it. It shares no code with the first and includes nothing of it, not even the
// table of formats; tests/layers_test.py holds it to that.
#pragma once

#include <cstdint>
#include <set>

namespace ampcheck::reference::second {

__extension__ typedef unsigned __int128 uint128;

// What stands for a number that is too large.
enum class Beyond { infinity, nan, largest };

// One row a format, as the standards print them: IEEE 754-2019 table 3.5, OFP8 1.0 table 1, OCP MX
// 1.0 section 5.3, and ml_dtypes for fnuz.
struct Layout {
  const char* name;
  int exponent_bits, fraction_bits, bias;
  Beyond beyond;
  // The largest finite number is max_significand·2^max_exponent, max_significand of full precision.
  std::uint64_t max_significand;
  int max_exponent;
  // The pattern of NaN where there is no other, sign aside where it has one.
  std::uint64_t only_nan = 0;
  bool unsigned_zero = false;  // 0 with a sign is NaN
};

inline constexpr Layout kLayouts[] = {
    {"binary16", 5, 10, 15, Beyond::infinity, 2047, 5},         // 65504
    {"bfloat16", 8, 7, 127, Beyond::infinity, 255, 120},        // (2 - 2^-7)·2^127
    {"binary32", 8, 23, 127, Beyond::infinity, 16777215, 104},  // (2 - 2^-23)·2^127
    {"binary64", 11, 52, 1023, Beyond::infinity, 9007199254740991, 971},
    {"float8_e4m3fn", 4, 3, 7, Beyond::nan, 14, 5, 0x7f},           // 448
    {"float8_e5m2", 5, 2, 15, Beyond::infinity, 7, 13},             // 57344
    {"float8_e4m3fnuz", 4, 3, 8, Beyond::nan, 15, 4, 0x80, true},   // 240
    {"float8_e5m2fnuz", 5, 2, 16, Beyond::nan, 7, 13, 0x80, true},  // 57344
    {"tf32", 8, 10, 127, Beyond::infinity, 2047, 117},              // (2 - 2^-10)·2^127
    {"float8_e8m0fnu", 8, 0, 127, Beyond::nan, 1, 127, 0xff},       // 2^127
    {"float6_e2m3fn", 2, 3, 1, Beyond::largest, 15, -1},            // 7.5
    {"float6_e3m2fn", 3, 2, 3, Beyond::largest, 7, 2},              // 28
    {"float4_e2m1fn", 2, 1, 1, Beyond::largest, 3, 1},              // 6
};

// The scale of OCP MX has nothing but an exponent: neither sign nor zero.
inline bool only_exponent(const Layout& f) { return f.fraction_bits == 0; }

enum class Kind { number, infinity, nan };
enum class Mode { nearest_even, nearest_away, toward_zero, up, down };

// ±(significand + more)·2^exponent with 0 <= more < 1; `more` says whether that is above 0.
struct Value {
  bool negative = false;
  uint128 significand = 0;
  int exponent = 0;
  bool more = false;
  Kind kind = Kind::number;

  bool is_zero() const { return kind == Kind::number && significand == 0 && !more; }
};

// Throws std::logic_error where a precondition that is named here is broken: the oracle refuses
// rather than guesses.

int bit_length(uint128 x);
// The same value with a significand of 120 bits.
Value normalized(Value x);

// The value of a pattern of the format.
Value decode(std::uint64_t bits, const Layout& f);
// significand·2^exponent, which the format holds.
std::uint64_t encode(std::uint64_t significand, int exponent, const Layout& f);
// The pattern of the largest number.
std::uint64_t largest(const Layout& f);
// The pattern of +infinity, of NaN, or of the largest number, as the format has them.
std::uint64_t beyond(const Layout& f);

// Rounding of finite numbers, in any of the five modes.
std::uint64_t rounded(Value x, const Layout& f, Mode mode = Mode::nearest_even,
                      bool saturate = false);
// The same number in another format: inf stays inf where there is one. NaN has no answer here.
std::uint64_t converted(std::uint64_t bits, const Layout& from, const Layout& to,
                        bool saturate = false);

// a·b, exact: two significands of at most 120 bits together.
Value product(const Value& a, const Value& b);
// At least 64 right bits, and one for all that follow; a divisor of at most 53 bits.
Value quotient(const Value& a, const Value& b);
// a + b, and a·b + c: at least 100 right bits, and one for all that follow. Operands of at most 106
// bits, products included. Numbers that cancel give +0; so do zeros, unless both are negative.
Value sum(const Value& a, const Value& b);
Value fused(const Value& a, const Value& b, const Value& c);
// √(significand·2^exponent) for a significand of at most 60 bits: 60 right bits and one for all
// that follow.
Value square_root(const Value& x);

// How a gradient is unscaled: by division, by a reciprocal in binary32 or in binary64, or in any of
// these ways.
enum class Unscale { division, reciprocal_binary32, reciprocal_binary64, any };
// Stands for every NaN in a set of patterns.
inline constexpr std::uint64_t kAnyNan = ~std::uint64_t{0};
// The patterns of g that a finite x unscaled by a positive scale may give: RN_g(x/S), and with S as
// it is and in binary32 RN_g(RN_w(x/S)) and RN_g(RN_w(x·RN(1/S))), a reciprocal of binary32 also by
// way of binary64. -0 counts as +0.
std::set<std::uint64_t> unscaled(const Value& x, const Value& scale, Unscale how, const Layout& w,
                                 const Layout& g);
// RN_f(s·c) of any two patterns, kAnyNan where that is NaN; -0 counts as +0.
std::uint64_t delivered(const Value& s, const Value& c, const Layout& f);

}  // namespace ampcheck::reference::second
