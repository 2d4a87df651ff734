#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// What becomes of S·c in F.
enum class Fate { kept, lost, overflows };

// How far beyond half the smallest subnormal number of F, or beyond its largest finite one, c lies
// at most: so many binades.
constexpr int kBeyond = 3;

// Coefficients come in binary32, which has not all of them where F has its range.
bool can_be_lost(const NumberFormat& f, int scale) {
  return f.min_quantum() - 1 - kBeyond - scale >= binary32.min_quantum();
}
bool can_overflow(const NumberFormat& f, int scale) {
  return f.max_exponent() + 1 + kBeyond - scale <= binary32.max_exponent();
}

// c with 2^scale·c of that fate. A tie with zero is lost, too.
std::uint64_t draw_of_fate(Draw& draw, Fate fate, const NumberFormat& f, int scale) {
  const int beyond = static_cast<int>(draw.between(0, kBeyond));
  const std::int64_t sign = draw.coin() ? 1 : -1;
  switch (fate) {
    case Fate::lost:
      return dyadic(sign, f.min_quantum() - 1 - beyond - scale, binary32);
    case Fate::overflows:
      return dyadic(sign, f.max_exponent() + 1 + beyond - scale, binary32);
    case Fate::kept:
      break;
  }
  return dyadic(draw.between(1, 7), 4 - scale, binary32);
}

// Finite gradients that are too small or too large for F once they are scaled, beside some that are
// kept, through one to three micro-batches and up to the step. What was lost in every micro-batch
// is zero, although their sum would not be; what overflowed in one is not finite.
Case generate(Draw& draw) {
  const TensorFormats formats = draw.pick<TensorFormats>({{&binary16, &binary32},
                                                          {&binary16, &binary32},
                                                          {&binary16, &binary16},
                                                          {&bfloat16, &binary32},
                                                          {&bfloat16, &bfloat16},
                                                          {&binary32, &binary32},
                                                          {&float8_e5m2, &binary32},
                                                          {&float8_e4m3fn, &binary32}});
  const NumberFormat& f = *formats.delivered;
  const int scale = static_cast<int>(f != binary32 ? draw.between(-6, 12)
                                     : draw.coin() ? draw.between(-6, -4)
                                                   : draw.between(4, 12));
  const bool loses = can_be_lost(f, scale);
  const std::int64_t length = draw.between(2, 6), micro_batches = draw.between(1, 3);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(scale, binary32);
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", {zeros("w", static_cast<std::size_t>(length), *formats.parameter)},
                           0);
  for (std::int64_t left = loses ? draw.between(1, 2) : 1; left > 0; --left) {
    // A window that overflows moves the scale, so it is the last one.
    const bool overflows = !loses || (left == 1 && can_overflow(f, scale) && draw.coin());
    std::vector<Fate> fates = {Fate::kept, overflows ? Fate::overflows : Fate::lost};
    while (std::ssize(fates) < length)
      fates.push_back(loses && draw.coin()       ? Fate::lost
                      : overflows && draw.coin() ? Fate::overflows
                                                 : Fate::kept);
    const std::int64_t overflows_in = draw.between(1, micro_batches);
    for (std::int64_t m = 1; m <= micro_batches; ++m) {
      std::vector<std::uint64_t> c;
      for (const Fate fate : fates)
        c.push_back(draw_of_fate(
            draw, fate == Fate::overflows && m != overflows_in ? Fate::kept : fate, f, scale));
      builder.backward({{"w", vector(std::move(c), binary32), &f}}, m == micro_batches)
          .observe({"gradient/w"});
    }
    // What a step skips shows in no parameter.
    if (overflows || draw.coin()) builder.unscale("o").observe({"gradient/w"});
    builder.step("o").observe({"parameter/w"});
    builder.update().zero_grad("o");
  }
  return builder.done();
}

AMPCHECK_CLAUSE("scaling/lost-is-lost", kGradient | kParameter, generate);

}  // namespace
}  // namespace ampcheck::properties
