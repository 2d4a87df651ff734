// Judgements a second: is this result among those that the rule allows? By the fast path, by the
// exact path, and by what one would write with MPFR or with rationals of Boost instead, which know
// the exact value rounded once and the quotient rounded in binary32 first.
//
// Every operand is judged with its right answer and with the pattern beside it.
#include <benchmark/benchmark.h>
#include <mpfr.h>

#include <bit>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "reference/accumulation.hpp"
#include "reference/fast_norm.hpp"
#include "reference/fast_scaling.hpp"
#include "reference/fast_sum.hpp"
#include "reference/norm.hpp"
#include "reference/scaling.hpp"

namespace {

using namespace ampcheck::reference;

// What is judged: all of binary16, or a slice of binary32 of the same size.
std::vector<std::uint64_t> operands(const NumberFormat& f) {
  std::vector<std::uint64_t> result;
  for (std::uint64_t i = 0; i < 65536; ++i) result.push_back(f == binary16 ? i : 0x3fff8000 + i);
  return result;
}

// 65536 and 48007.890625: a power of two, and a scale by which divisions round.
Number scale_of(const benchmark::State& state) {
  return {&binary32, std::uint64_t(state.range(0) == 0 ? 0x47800000 : 0x473b87e4)};
}

// For each operand the right answer, then the one beside it.
std::vector<std::uint64_t> answers(const NumberFormat& f, const Number& scale) {
  std::vector<std::uint64_t> result;
  for (const std::uint64_t x : operands(f)) {
    const Admissible set = unscaled({&f, x}, value_of(scale), f, {});
    const std::uint64_t right = set.has_ends() ? set.patterns().front() : f.nan();
    result.push_back(right);
    result.push_back(right ^ 1);
  }
  return result;
}

// Judge: admits(x, result).
template <typename Judge>
void judge_all(benchmark::State& state, const NumberFormat& f, Judge judge) {
  // Short, so that both lie in the cache.
  std::vector<std::uint32_t> xs, results;
  for (const std::uint64_t x : operands(f)) xs.push_back(static_cast<std::uint32_t>(x));
  for (const std::uint64_t one : answers(f, scale_of(state)))
    results.push_back(static_cast<std::uint32_t>(one));
  std::int64_t admitted = 0;
  for (auto _ : state) {
    admitted = 0;
    for (std::size_t i = 0; i < xs.size(); ++i) {
      admitted += judge(xs[i], results[2 * i]) ? 1 : 0;
      admitted += judge(xs[i], results[2 * i + 1]) ? 1 : 0;
    }
    benchmark::DoNotOptimize(admitted);
  }
  if (admitted < static_cast<std::int64_t>(xs.size()))
    state.SkipWithError("a right answer was not admitted");
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(results.size()));
}

void UnscaleFast(benchmark::State& state, const NumberFormat& f) {
  const fast::Unscaling judge = *fast::Unscaling::make(f, scale_of(state), f, {});
  judge_all(state, f,
            [judge](std::uint64_t x, std::uint64_t result) { return judge.admits(x, result); });
}

void UnscaleExact(benchmark::State& state, const NumberFormat& f) {
  const Rational scale = value_of(scale_of(state));
  judge_all(state, f, [&](std::uint64_t x, std::uint64_t result) {
    return unscaled({&f, x}, scale, f, {}).contains(result);
  });
}

// Of a finite pattern: MPFR and Boost are handed the value ready-made.
double as_double(std::uint64_t bits, const NumberFormat& f) {
  return std::bit_cast<double>(convert({&f, bits}, binary64));
}

// The result is judged as a double: a number or inf, which hold all of both formats.
template <typename Divide>
void judge_doubles(benchmark::State& state, const NumberFormat& f, Divide admits) {
  std::vector<double> xs, results;
  const std::vector<std::uint64_t> answer = answers(f, scale_of(state));
  for (const std::uint64_t x : operands(f)) {
    if (!f.is_finite(x)) continue;
    xs.push_back(as_double(x, f));
  }
  std::size_t i = 0;
  for (const std::uint64_t x : operands(f)) {
    if (f.is_finite(x))
      for (const std::size_t at : {2 * i, 2 * i + 1}) results.push_back(as_double(answer[at], f));
    ++i;
  }
  std::int64_t admitted = 0;
  for (auto _ : state) {
    admitted = 0;
    for (std::size_t k = 0; k < xs.size(); ++k)
      for (const double result : {results[2 * k], results[2 * k + 1]})
        admitted += admits(xs[k], result) ? 1 : 0;
    benchmark::DoNotOptimize(admitted);
  }
  if (admitted < static_cast<std::int64_t>(xs.size()))
    state.SkipWithError("a right answer was not admitted");
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(results.size()));
}

// x/scale rounded to f, or to binary32 first. The exponent range is MPFR's global one, set to that
// of the format; mpfr_subnormalize rounds again where the result lies below the normal numbers.
class WithMpfr {
 public:
  WithMpfr(const NumberFormat& f, double scale) : f_(f) {
    mpfr_init2(x_, 53);
    mpfr_init2(scale_, 53);
    mpfr_init2(once_, static_cast<mpfr_prec_t>(f.precision()));
    mpfr_init2(wide_, 24);
    mpfr_set_d(scale_, scale, MPFR_RNDN);
  }
  ~WithMpfr() {
    mpfr_clears(x_, scale_, once_, wide_, nullptr);
    range(-1073, 1024);
  }
  WithMpfr(const WithMpfr&) = delete;
  WithMpfr& operator=(const WithMpfr&) = delete;

  bool admits(double x, double result) {
    mpfr_set_d(x_, x, MPFR_RNDN);
    range(f_);
    int side = mpfr_div(once_, x_, scale_, MPFR_RNDN);
    mpfr_subnormalize(once_, side, MPFR_RNDN);
    if (mpfr_cmp_d(once_, result) == 0) return true;
    range(binary32);
    side = mpfr_div(wide_, x_, scale_, MPFR_RNDN);
    mpfr_subnormalize(wide_, side, MPFR_RNDN);
    range(f_);
    side = mpfr_set(once_, wide_, MPFR_RNDN);
    side = mpfr_check_range(once_, side, MPFR_RNDN);
    mpfr_subnormalize(once_, side, MPFR_RNDN);
    return mpfr_cmp_d(once_, result) == 0;
  }

 private:
  // MPFR's significands lie in [1/2, 1).
  static void range(int low, int high) {
    mpfr_set_emin(low);
    mpfr_set_emax(high);
  }
  static void range(const NumberFormat& f) { range(f.min_quantum() + 1, f.max_exponent() + 1); }

  const NumberFormat& f_;
  mpfr_t x_, scale_, once_, wide_;
};

void UnscaleMpfr(benchmark::State& state, const NumberFormat& f) {
  WithMpfr judge(f, as_double(scale_of(state).bits, binary32));
  judge_doubles(state, f, [&](double x, double result) { return judge.admits(x, result); });
}

// Rounding as one writes it with rationals: an integer quotient, and its rest against one half.
using BigRational = boost::multiprecision::cpp_rational;
using BigInteger = boost::multiprecision::cpp_int;

BigRational power_of_two(int exponent) {
  const BigInteger power = BigInteger(1) << std::abs(exponent);
  return exponent >= 0 ? BigRational(power) : BigRational(BigInteger(1), power);
}

BigRational rounded(const BigRational& x, const NumberFormat& f) {
  if (x == 0) return x;
  const BigRational magnitude = abs(x);
  int exponent =
      static_cast<int>(msb(numerator(magnitude))) - static_cast<int>(msb(denominator(magnitude)));
  if (magnitude < power_of_two(exponent)) --exponent;
  const BigRational unit = power_of_two(std::max(exponent - f.fraction_bits, f.min_quantum()));
  const BigRational units = magnitude / unit;
  BigInteger kept = numerator(units) / denominator(units);
  const BigRational rest = (units - kept) * 2;
  if (rest > 1 || (rest == 1 && kept % 2 == 1)) ++kept;
  return x < 0 ? BigRational(-(kept * unit)) : BigRational(kept * unit);
}

void UnscaleRationals(benchmark::State& state, const NumberFormat& f) {
  const BigRational scale(as_double(scale_of(state).bits, binary32));
  // The quotients of these operands stay inside the formats: overflow is not looked at.
  judge_doubles(state, f, [&](double x, double result) {
    if (std::isinf(result)) return false;
    const BigRational exact = BigRational(x) / scale, wanted(result);
    return rounded(exact, f) == wanted || rounded(rounded(exact, binary32), f) == wanted;
  });
}

#define AMPCHECK_JUDGE(function)                                                         \
  BENCHMARK_CAPTURE(function, binary16, binary16)->Arg(0)->Arg(1)->ArgName("irregular"); \
  BENCHMARK_CAPTURE(function, binary32, binary32)->Arg(0)->Arg(1)->ArgName("irregular")

AMPCHECK_JUDGE(UnscaleFast)->Unit(benchmark::kMicrosecond);
AMPCHECK_JUDGE(UnscaleExact)->Unit(benchmark::kMicrosecond);
AMPCHECK_JUDGE(UnscaleMpfr)->Unit(benchmark::kMicrosecond);
AMPCHECK_JUDGE(UnscaleRationals)->Unit(benchmark::kMicrosecond);

// 16 gradients of binary16 between 1 and 16 in magnitude, of both signs: nothing is exact.
std::vector<std::uint64_t> gradients() {
  std::vector<std::uint64_t> result;
  for (std::uint64_t i = 0; i < 16; ++i)
    result.push_back((0x3c00 + i * 0x101) | (i % 3 == 0 ? 0x8000 : 0));
  return result;
}

// Whether a set holds one result, over and over, the set made anew each time.
template <typename Judge>
void judge_one(benchmark::State& state, Judge judge) {
  std::int64_t admitted = 0;
  for (auto _ : state) admitted += judge() ? 1 : 0;
  if (admitted != state.iterations()) state.SkipWithError("a right answer was not admitted");
  state.SetItemsProcessed(state.iterations());
}

std::uint64_t sum_of_gradients() {
  Rational sum;
  for (const std::uint64_t bits : gradients()) sum += value_of(bits, binary16);
  return round_to(sum, binary32);
}

void SumFast(benchmark::State& state) {
  const std::vector<std::uint64_t> terms = gradients();
  const fast::Format f(binary16), accumulator(binary32);
  const std::uint64_t result = sum_of_gradients();
  judge_one(state, [&] {
    fast::Sum sum(binary32);
    for (const std::uint64_t bits : terms) sum.add(bits, f);
    return sum.result({})->contains(result, accumulator);
  });
}
BENCHMARK(SumFast);

void SumExact(benchmark::State& state) {
  const std::vector<std::uint64_t> terms = gradients();
  const std::uint64_t result = sum_of_gradients();
  judge_one(state, [&] {
    Sum sum(binary32);
    for (const std::uint64_t bits : terms) sum.add(Admissible::of(binary16, bits));
    return sum.result({}).contains(result);
  });
}
BENCHMARK(SumExact);

std::uint64_t norm_of_gradients() {
  Rational squares;
  for (const std::uint64_t bits : gradients()) {
    const Rational g = value_of(bits, binary16);
    squares += g * g;
  }
  return round_to(Exact::square_root(squares), binary32);
}

void NormFast(benchmark::State& state) {
  const std::vector<std::uint64_t> elements = gradients();
  const fast::Format f(binary32);
  const std::uint64_t result = norm_of_gradients();
  judge_one(state, [&] { return fast::norm(elements, binary16, {})->contains(result, f); });
}
BENCHMARK(NormFast);

// Besides the norm of binary32 it gives that of binary64 and the exact one.
void NormExact(benchmark::State& state) {
  std::vector<GradientSets> tensors(1);
  for (const std::uint64_t bits : gradients()) tensors[0].push_back(Admissible::of(binary16, bits));
  const std::uint64_t result = norm_of_gradients();
  judge_one(state, [&] { return norm_of(tensors, {}).computed.contains(result); });
}
BENCHMARK(NormExact);

}  // namespace
