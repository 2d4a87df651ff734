#include "properties/clause.hpp"
#include "properties/generators/token_rows.hpp"

namespace ampcheck::properties {
namespace {

using reference::binary32;

// The same rows in two or three windows, each of which spreads them in its own way over ranks and
// up to eight micro-batches.
Case generate(Draw& draw) {
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(static_cast<int>(draw.between(0, 16)), binary32);
  const std::int64_t ranks = draw.pick<std::int64_t>({1, 1, 2, 4});
  const TokenRows rows = draw_token_rows(draw, draw.between(3, 20));
  CaseBuilder builder = token_session(plan);
  for (std::int64_t w = draw.between(2, 3); w > 0; --w)
    builder.add(draw_split(draw, rows, ranks, 8))
        .unscale("o")
        .observe({"gradient/w"})
        .finish_window("o");
  Case made = builder.done();
  made.ranks = ranks;
  return made;
}

AMPCHECK_CLAUSE("tokens/partition-invariant", kGradient, generate);

}  // namespace
}  // namespace ampcheck::properties
