// CUDA's conversions against the reference: the host code of the toolkit's headers, which shares
// nothing with it.
//
//     cuda_conversions [--all] [--threads N] [NAME…]
//
// Of binary32 it converts every 4099th pattern and the five about each place where a result
// changes; with --all every pattern (minutes), by a table of those places, which only the former
// holds to the reference. Of the short formats it converts every pattern back.
// Exits with 1 where anything differs. NAME limits it to conversions whose name begins so.
//
// Where CUDA documents something else than the reference, that is what is asked of it:
// - NaN becomes NaN, of one payload; the reference keeps its sign where there is one. In formats
//   without NaN it becomes the largest positive number (cuda_fp6.h, cuda_fp4.h); the reference
//   refuses.
// - float8_e8m0fnu takes the absolute value, zero included (cuda_fp8.h); the reference refuses zero
//   and negative numbers. There is no rounding to nearest.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "reference/rounding.hpp"

namespace {

using namespace ampcheck::reference;

// From binary32.
struct Narrowing {
  std::string_view name;
  const NumberFormat& to;
  Rounding mode;
  Overflow overflow;
  std::uint32_t (*theirs)(float);
};

constexpr auto kNearest = Rounding::nearest_even;
constexpr auto kStandard = Overflow::standard, kSaturate = Overflow::saturate;

const Narrowing kNarrowings[] = {
    {"float2half_rn", binary16, kNearest, kStandard,
     [](float x) -> std::uint32_t { return __half_raw(__float2half_rn(x)).x; }},
    {"float2half_rz", binary16, Rounding::toward_zero, kStandard,
     [](float x) -> std::uint32_t { return __half_raw(__float2half_rz(x)).x; }},
    {"float2half_rd", binary16, Rounding::down, kStandard,
     [](float x) -> std::uint32_t { return __half_raw(__float2half_rd(x)).x; }},
    {"float2half_ru", binary16, Rounding::up, kStandard,
     [](float x) -> std::uint32_t { return __half_raw(__float2half_ru(x)).x; }},
    {"float2bfloat16_rn", bfloat16, kNearest, kStandard,
     [](float x) -> std::uint32_t { return __nv_bfloat16_raw(__float2bfloat16_rn(x)).x; }},
    {"float2bfloat16_rz", bfloat16, Rounding::toward_zero, kStandard,
     [](float x) -> std::uint32_t { return __nv_bfloat16_raw(__float2bfloat16_rz(x)).x; }},
    {"float2bfloat16_rd", bfloat16, Rounding::down, kStandard,
     [](float x) -> std::uint32_t { return __nv_bfloat16_raw(__float2bfloat16_rd(x)).x; }},
    {"float2bfloat16_ru", bfloat16, Rounding::up, kStandard,
     [](float x) -> std::uint32_t { return __nv_bfloat16_raw(__float2bfloat16_ru(x)).x; }},
    {"fp8_e4m3", float8_e4m3fn, kNearest, kStandard,
     [](float x) -> std::uint32_t { return __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E4M3); }},
    {"fp8_e4m3_satfinite", float8_e4m3fn, kNearest, kSaturate,
     [](float x) -> std::uint32_t { return __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3); }},
    {"fp8_e5m2", float8_e5m2, kNearest, kStandard,
     [](float x) -> std::uint32_t { return __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E5M2); }},
    {"fp8_e5m2_satfinite", float8_e5m2, kNearest, kSaturate,
     [](float x) -> std::uint32_t { return __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E5M2); }},
    {"e8m0_rz", float8_e8m0fnu, Rounding::toward_zero, kStandard,
     [](float x) -> std::uint32_t { return __nv_cvt_float_to_e8m0(x, __NV_NOSAT, cudaRoundZero); }},
    {"e8m0_rz_satfinite", float8_e8m0fnu, Rounding::toward_zero, kSaturate,
     [](float x) -> std::uint32_t {
       return __nv_cvt_float_to_e8m0(x, __NV_SATFINITE, cudaRoundZero);
     }},
    {"e8m0_rp", float8_e8m0fnu, Rounding::up, kStandard,
     [](float x) -> std::uint32_t {
       return __nv_cvt_float_to_e8m0(x, __NV_NOSAT, cudaRoundPosInf);
     }},
    {"e8m0_rp_satfinite", float8_e8m0fnu, Rounding::up, kSaturate,
     [](float x) -> std::uint32_t {
       return __nv_cvt_float_to_e8m0(x, __NV_SATFINITE, cudaRoundPosInf);
     }},
    {"fp6_e2m3", float6_e2m3fn, kNearest, kStandard,
     [](float x) -> std::uint32_t {
       return __nv_cvt_float_to_fp6(x, __NV_E2M3, cudaRoundNearest);
     }},
    {"fp6_e2m3_rz", float6_e2m3fn, Rounding::toward_zero, kStandard,
     [](float x) -> std::uint32_t { return __nv_cvt_float_to_fp6(x, __NV_E2M3, cudaRoundZero); }},
    {"fp6_e3m2", float6_e3m2fn, kNearest, kStandard,
     [](float x) -> std::uint32_t {
       return __nv_cvt_float_to_fp6(x, __NV_E3M2, cudaRoundNearest);
     }},
    {"fp6_e3m2_rz", float6_e3m2fn, Rounding::toward_zero, kStandard,
     [](float x) -> std::uint32_t { return __nv_cvt_float_to_fp6(x, __NV_E3M2, cudaRoundZero); }},
    {"fp4_e2m1", float4_e2m1fn, kNearest, kStandard,
     [](float x) -> std::uint32_t {
       return __nv_cvt_float_to_fp4(x, __NV_E2M1, cudaRoundNearest);
     }},
    {"fp4_e2m1_rz", float4_e2m1fn, Rounding::toward_zero, kStandard,
     [](float x) -> std::uint32_t { return __nv_cvt_float_to_fp4(x, __NV_E2M1, cudaRoundZero); }},
};

std::uint32_t of_half(__half_raw x) { return x.x; }

// From a short format to a longer one: no rounding.
struct Widening {
  std::string_view name;
  const NumberFormat& from;
  const NumberFormat& to;
  std::uint32_t (*theirs)(std::uint32_t);
};

const Widening kWidenings[] = {
    {"half2float", binary16, binary32,
     [](std::uint32_t bits) {
       const __half_raw raw{static_cast<unsigned short>(bits)};
       return std::bit_cast<std::uint32_t>(__half2float(__half(raw)));
     }},
    {"bfloat162float", bfloat16, binary32,
     [](std::uint32_t bits) {
       const __nv_bfloat16_raw raw{static_cast<unsigned short>(bits)};
       return std::bit_cast<std::uint32_t>(__bfloat162float(__nv_bfloat16(raw)));
     }},
    {"fp8_e4m3_to_half", float8_e4m3fn, binary16,
     [](std::uint32_t bits) {
       return of_half(__nv_cvt_fp8_to_halfraw(static_cast<unsigned char>(bits), __NV_E4M3));
     }},
    {"fp8_e5m2_to_half", float8_e5m2, binary16,
     [](std::uint32_t bits) {
       return of_half(__nv_cvt_fp8_to_halfraw(static_cast<unsigned char>(bits), __NV_E5M2));
     }},
    {"e8m0_to_bfloat16", float8_e8m0fnu, bfloat16,
     [](std::uint32_t bits) -> std::uint32_t {
       return __nv_cvt_e8m0_to_bf16raw(static_cast<unsigned char>(bits)).x;
     }},
    {"fp6_e2m3_to_half", float6_e2m3fn, binary16,
     [](std::uint32_t bits) {
       return of_half(__nv_cvt_fp6_to_halfraw(static_cast<unsigned char>(bits), __NV_E2M3));
     }},
    {"fp6_e3m2_to_half", float6_e3m2fn, binary16,
     [](std::uint32_t bits) {
       return of_half(__nv_cvt_fp6_to_halfraw(static_cast<unsigned char>(bits), __NV_E3M2));
     }},
    {"fp4_e2m1_to_half", float4_e2m1fn, binary16,
     [](std::uint32_t bits) {
       return of_half(__nv_cvt_fp4_to_halfraw(static_cast<unsigned char>(bits), __NV_E2M1));
     }},
};

// The pattern that the reference gives for one that is not NaN.
std::uint32_t ours(const Narrowing& narrowing, std::uint32_t bits) {
  const NumberFormat& to = narrowing.to;
  if (!to.is_signed) bits &= 0x7fffffff;
  if (!binary32.is_finite(bits))
    return static_cast<std::uint32_t>(convert({&binary32, bits}, to, narrowing.overflow));
  const Rational x = value_of(bits, binary32);
  if (x.is_zero() && !to.has_zero) return 0;
  return static_cast<std::uint32_t>(
      round_to(x, to, narrowing.mode, narrowing.overflow, binary32.is_negative(bits)));
}

// The reference for all inputs at once: in the order of their patterns, which is that of their
// magnitudes, the results of finite inputs of one sign move one way, so that it is enough to know
// where they change. Those places are searched for with the reference itself.
class Table {
 public:
  explicit Table(const Narrowing& narrowing) : narrowing_(narrowing) {
    for (const std::uint32_t sign : {0u, 0x80000000u}) {
      const std::uint32_t first = sign, last = sign | 0x7f7fffff;
      const std::uint32_t at_first = ours(narrowing, first);
      runs_.push_back({first, at_first});
      search(first, at_first, last, ours(narrowing, last));
      runs_.push_back({last + 1, ours(narrowing, last + 1)});  // inf
      runs_.push_back({last + 2, 0});                          // NaN, which is not looked up
    }
  }

  struct Run {
    std::uint32_t first;  // up to the next run
    std::uint32_t result;
  };
  const std::vector<Run>& runs() const { return runs_; }
  // The index of the run that holds the pattern.
  std::size_t find(std::uint32_t bits) const {
    const auto after = std::upper_bound(runs_.begin(), runs_.end(), bits,
                                        [](std::uint32_t b, const Run& r) { return b < r.first; });
    return static_cast<std::size_t>(after - runs_.begin()) - 1;
  }

 private:
  void search(std::uint32_t low, std::uint32_t at_low, std::uint32_t high, std::uint32_t at_high) {
    if (at_low == at_high) return;
    if (high - low == 1) {
      runs_.push_back({high, at_high});
      return;
    }
    const std::uint32_t middle = low + (high - low) / 2;
    const std::uint32_t at_middle = ours(narrowing_, middle);
    search(low, at_low, middle, at_middle);
    search(middle, at_middle, high, at_high);
  }

  const Narrowing& narrowing_;
  std::vector<Run> runs_;
};

class Comparison {
 public:
  explicit Comparison(std::string_view name) : name_(name) {}

  void expect(bool same, std::uint32_t input, std::uint32_t theirs, std::uint32_t wanted) {
    if (same) return;
    if (different_++ < 5)
      std::fprintf(stderr, "%.*s of %08x: CUDA gives %x, the reference %x\n",
                   static_cast<int>(name_.size()), name_.data(), input, theirs, wanted);
  }
  void narrowed(const Narrowing& n, std::uint32_t input, std::uint32_t wanted) {
    const std::uint32_t theirs = n.theirs(std::bit_cast<float>(input));
    if (!binary32.is_nan(input))
      expect(theirs == wanted, input, theirs, wanted);
    else if (n.to.has_nan())
      expect(n.to.is_nan(theirs), input, theirs, static_cast<std::uint32_t>(n.to.nan()));
    else
      expect(theirs == n.to.max_finite(), input, theirs,
             static_cast<std::uint32_t>(n.to.max_finite()));
  }
  void tabled(bool same, std::uint32_t input) {
    if (!same && different_++ < 5)
      std::fprintf(stderr, "%.*s of %08x: the table is not the reference\n",
                   static_cast<int>(name_.size()), name_.data(), input);
  }
  bool failed() const { return different_ > 0; }

 private:
  std::string_view name_;
  std::atomic<std::int64_t> different_{0};
};

bool slice_agrees(const Narrowing& n) {
  const Table table(n);
  const std::vector<Table::Run>& runs = table.runs();
  Comparison comparison(n.name);
  // The reference itself, of which the table must be a true copy.
  const auto look_at = [&](std::uint32_t bits) {
    const std::uint32_t wanted = binary32.is_nan(bits) ? 0 : ours(n, bits);
    comparison.narrowed(n, bits, wanted);
    comparison.tabled(binary32.is_nan(bits) || runs[table.find(bits)].result == wanted, bits);
  };
  for (std::uint64_t bits = 0; bits >> 32 == 0; bits += 4099)
    look_at(static_cast<std::uint32_t>(bits));
  for (const Table::Run& run : runs)
    for (std::uint32_t offset = 0; offset < 5; ++offset) look_at(run.first + offset - 2);
  return !comparison.failed();
}

bool all_agree(const Narrowing& n, unsigned threads) {
  const Table table(n);
  const std::vector<Table::Run>& runs = table.runs();
  Comparison comparison(n.name);
  constexpr std::uint64_t kChunk = 1u << 24;
  std::atomic<std::uint64_t> next{0};
  const auto work = [&] {
    for (std::uint64_t first; (first = next.fetch_add(kChunk)) >> 32 == 0;) {
      std::size_t run = table.find(static_cast<std::uint32_t>(first));
      for (std::uint64_t bits = first; bits < first + kChunk; ++bits) {
        while (run + 1 < runs.size() && runs[run + 1].first <= bits) ++run;
        comparison.narrowed(n, static_cast<std::uint32_t>(bits), runs[run].result);
      }
    }
  };
  std::vector<std::thread> pool;
  for (unsigned i = 1; i < threads; ++i) pool.emplace_back(work);
  work();
  for (std::thread& thread : pool) thread.join();
  return !comparison.failed();
}

bool agrees(const Widening& w) {
  Comparison comparison(w.name);
  for (std::uint32_t bits = 0; bits >> w.from.width == 0; ++bits) {
    const std::uint32_t theirs = w.theirs(bits);
    const auto wanted = static_cast<std::uint32_t>(convert({&w.from, bits}, w.to));
    comparison.expect(w.from.is_nan(bits) ? w.to.is_nan(theirs) : theirs == wanted, bits, theirs,
                      wanted);
  }
  return !comparison.failed();
}

}  // namespace

int main(int argc, char** argv) {
  bool all = false;
  unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::string_view> names;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--all")
      all = true;
    else if (argument == "--threads" && i + 1 < argc && std::atoi(argv[i + 1]) > 0)
      threads = static_cast<unsigned>(std::atoi(argv[++i]));
    else if (argument.starts_with("-"))
      return std::fputs("usage: cuda_conversions [--all] [--threads N] [NAME…]\n", stderr), 2;
    else
      names.push_back(argument);
  }
  const auto wanted = [&](std::string_view name) {
    return names.empty() || std::any_of(names.begin(), names.end(), [&](std::string_view prefix) {
             return name.starts_with(prefix);
           });
  };
  int compared = 0, failed = 0;
  const auto count = [&](bool good) { ++compared, failed += good ? 0 : 1; };
  for (const Widening& w : kWidenings)
    if (wanted(w.name)) count(agrees(w));
  for (const Narrowing& n : kNarrowings)
    if (wanted(n.name)) count(all ? all_agree(n, threads) : slice_agrees(n));
  std::printf("%d of %d conversions agree\n", compared - failed, compared);
  if (compared == 0) return 2;
  return failed == 0 ? 0 : 1;
}
