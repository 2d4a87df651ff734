#include "properties/clause.hpp"
#include "properties/generators/token_rows.hpp"

namespace ampcheck::properties {
namespace {

using reference::binary32;

// One window on one to four ranks, also three, twice: its ranks averaged, and added.
Case generate(Draw& draw) {
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(static_cast<int>(draw.between(0, 16)), binary32);
  const std::int64_t ranks = draw.pick<std::int64_t>({1, 2, 2, 3, 4, 4});
  subject::TokenWindow window =
      draw_split(draw, draw_token_rows(draw, draw.between(ranks, 4 * ranks)), ranks, 3);
  CaseBuilder builder = token_session(plan);
  for (int w = 0; w < 2; ++w) {
    builder.add(window).unscale("o").observe({"gradient/w"}).finish_window("o");
    window.reducer =
        window.reducer == subject::Reducer::mean ? subject::Reducer::sum : subject::Reducer::mean;
  }
  Case made = builder.done();
  made.ranks = ranks;
  return made;
}

AMPCHECK_CLAUSE("tokens/ranks", kGradient, generate);

}  // namespace
}  // namespace ampcheck::properties
