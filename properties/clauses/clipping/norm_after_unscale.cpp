#include <algorithm>

#include "properties/clause.hpp"
#include "properties/generators/norms.hpp"

namespace ampcheck::properties {
namespace {

using reference::binary32;

// Limits a power of two below the norm, or above it, seen from unscaled gradients; from scaled ones
// the limit would lie elsewhere.
Case generate(Draw& draw) {
  NormWindow window = draw_norm_window(draw);
  if (window.scale == 0) window.scale = 2;
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(window.scale, binary32);
  const int ratio = static_cast<int>(draw.between(-4, 2));
  // One norm over all optimizers: half of the cases have two, and each has something to move.
  std::vector<subject::Parameter> first = parameters_of(window.plans), second;
  std::vector<std::string> optimizers = {"o"};
  const Tensor& last = window.coefficients.back().values;
  const bool may_part = first.size() > 1 && std::ranges::any_of(last.bits, [&](std::uint64_t bits) {
                          return !last.format->is_zero(bits);
                        });
  if (may_part && draw.coin()) {
    second.push_back(first.back());
    first.pop_back();
    optimizers.emplace_back("other");
  }
  // What is not named is neither clipped nor counted. A limit for one window does for the next.
  const bool names_one = optimizers.size() > 1 && draw.chance(3);
  const std::vector<std::string> clipped = names_one ? std::vector<std::string>{"o"} : optimizers;
  const std::int64_t windows = draw.chance(4) ? 2 : 1;
  const bool first_overflows = windows > 1 && draw.coin();
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", first);
  if (!second.empty()) builder.sgd("other", second);
  for (std::int64_t w = 1; w <= windows; ++w) {
    std::vector<subject::Coefficients> micro_batch = window.coefficients;
    const bool overflows = w < windows && first_overflows;
    if (overflows)
      for (subject::Coefficients& c : micro_batch)
        for (std::uint64_t& bits : c.values.bits) bits = c.values.format->infinity();
    builder.backward(std::move(micro_batch));
    for (const std::string& name : optimizers) builder.unscale(name);
    builder.clip_norm(clipped, scalar(dyadic(window.norm, window.base + ratio, binary32), binary32))
        .observe(names("gradient", names_of(window.plans)));
    if (!overflows) builder.observe({"norm"});
    for (const std::string& name : optimizers) builder.step(name);
    builder.observe(names("parameter", names_of(window.plans)));
    if (w == windows) break;
    builder.update();
    for (const std::string& name : optimizers) builder.zero_grad(name);
  }
  return builder.done();
}

AMPCHECK_CLAUSE("clipping/norm-after-unscale", kGradient | kNorm | kParameter, generate);

}  // namespace
}  // namespace ampcheck::properties
