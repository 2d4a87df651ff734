#include "properties/clause.hpp"
#include "properties/generators/token_rows.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// One window again and again, under a scale that grows by powers of two from window to window and
// may begin below 1.
Case generate(Draw& draw) {
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(static_cast<int>(draw.between(-12, 16)), binary32);
  plan.growth_interval = static_cast<int>(draw.between(1, 2));
  plan.growth_factor = scalar_power_of_two(static_cast<int>(draw.between(1, 8)), binary64);
  const std::int64_t ranks = draw.pick<std::int64_t>({1, 1, 2, 4});
  const subject::TokenWindow window =
      draw_split(draw, draw_token_rows(draw, draw.between(3, 12)), ranks, 4);
  CaseBuilder builder = token_session(plan);
  for (std::int64_t w = draw.between(2, 4); w > 0; --w)
    builder.add(window).unscale("o").observe({"gradient/w"}).finish_window("o");
  return builder.ranks(ranks).done();
}

AMPCHECK_CLAUSE("tokens/with-loss-scale", kGradient, generate);

}  // namespace
}  // namespace ampcheck::properties
