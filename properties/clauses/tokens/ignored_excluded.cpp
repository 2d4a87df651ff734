#include "properties/clause.hpp"
#include "properties/generators/tokens.hpp"

namespace ampcheck::properties {
namespace {

using reference::binary32;

// Tokens with the ignore index among the others, and labels (0, -100, -1, 7) that only sometimes
// are it.
Case generate(Draw& draw) {
  TokenPlan tokens;
  tokens.ignored = true;
  tokens.power_of_two_count = !draw.chance(3);
  const std::int64_t ranks = draw.pick<std::int64_t>({1, 1, 1, 2});
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

AMPCHECK_CLAUSE("tokens/ignored-excluded", kGradient, generate);

}  // namespace
}  // namespace ampcheck::properties
