#include <algorithm>

#include "properties/clause.hpp"
#include "properties/generators/masters.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

constexpr int kBelow = 4;  // updates are counted in sixteenths of an ulp

// The same small gradient in 8 to 64 windows, each update below half an ulp of the copy, so that a
// copy that is stepped on itself never moves; together they are an ulp and a half or more. Some
// cases have a window that is skipped, and are saved and loaded once.
Case generate(Draw& draw) {
  const NumberFormat& f = draw_short_format(draw);
  const int lr = -static_cast<int>(draw.between(3, 12));
  std::vector<std::uint64_t> initial, gradient;
  std::int64_t least = 7;
  for (std::int64_t i = draw.between(1, 2); i > 0; --i) {
    const MasterElement element = draw_master_element(draw, f, kBelow, lr);
    // Below a power of two the numbers lie twice as dense.
    const bool towards_zero = f.is_negative(element.initial) != element.is_negative;
    const bool is_power = (element.initial & f.fraction_mask()) == 0;
    const std::int64_t units =
        draw.between(draw.chance(6) ? 1 : 2, towards_zero && is_power ? 3 : 7);
    initial.push_back(element.initial);
    gradient.push_back(gradient_of(element, units, f));
    least = std::min(least, units);
  }
  const std::int64_t windows = std::max<std::int64_t>(8, 24 / least) +
                               (draw.chance(16) ? draw.between(8, 40) : draw.between(0, 4));
  const std::int64_t skipped = draw.coin() ? draw.between(1, windows - 1) : 0;
  const std::int64_t saved = draw.coin() ? draw.between(1, windows - 1) : 0;
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(static_cast<int>(draw.between(0, 6)), binary32);
  CaseBuilder builder;
  builder.scaler(plan).optimizer(master_sgd({{"w", vector(std::move(initial), f), ""}}, lr));
  for (std::int64_t w = 1; w <= windows; ++w) {
    if (w == skipped) {
      std::vector<std::uint64_t> bad = gradient;
      bad.back() = draw_non_finite(draw, f);
      builder.backward({{"w", vector(std::move(bad), f)}}).finish_window("o");
    }
    builder.backward({{"w", vector(gradient, f)}}).step("o").observe({"parameter/w"});
    builder.update().zero_grad("o");
    if (w == saved) builder.save_load();
  }
  return builder.done();
}

AMPCHECK_CLAUSE("weights/small-updates-accumulate", kParameter, generate);

}  // namespace
}  // namespace ampcheck::properties
