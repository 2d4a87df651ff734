#include "properties/clause.hpp"
#include "properties/generators/tokens.hpp"

namespace ampcheck::properties {
namespace {

using reference::binary32;

// Micro-batches and ranks with unequal counts, under both reducers. Two thirds of the windows count
// a power of two of tokens.
Case generate(Draw& draw) {
  TokenPlan tokens;
  tokens.power_of_two_count = !draw.chance(3);
  const std::int64_t ranks = draw.pick<std::int64_t>({1, 1, 2, 4});
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(static_cast<int>(draw.between(0, 16)), binary32);
  CaseBuilder builder;
  builder.scaler(plan)
      .sgd("o", {zeros("w", 2, binary32)})
      .add(draw_token_window(draw, tokens, ranks))
      .unscale("o")
      .observe({"gradient/w"});
  Case made = builder.done();
  made.ranks = ranks;
  return made;
}

AMPCHECK_CLAUSE("tokens/window-mean", kGradient, generate);

}  // namespace
}  // namespace ampcheck::properties
