#include "properties/clause.hpp"
#include "properties/generators/tokens.hpp"

namespace ampcheck::properties {
namespace {

using reference::binary32;

// No token of a whole window counts, before or after a window in which some do.
Case generate(Draw& draw) {
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(static_cast<int>(draw.between(0, 16)), binary32);
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", {zeros("w", 2, binary32)});
  const std::int64_t ranks = draw.pick<std::int64_t>({1, 2});
  const std::int64_t windows = draw.between(1, 2), empty = draw.between(0, windows - 1);
  for (std::int64_t w = 0; w < windows; ++w) {
    subject::TokenWindow window = draw_token_window(draw, {}, ranks);
    if (w == empty)
      for (auto& rank : window.ranks)
        for (subject::TokenMicroBatch& micro_batch : rank)
          for (std::int64_t& label : micro_batch.labels) label = window.ignore_index;
    builder.add(std::move(window)).unscale("o").observe({"gradient/w"});
    builder.step("o").update().observe({"scale"}).zero_grad("o");
  }
  Case made = builder.done();
  made.ranks = ranks;
  return made;
}

AMPCHECK_CLAUSE("tokens/empty-window", kGradient | kScale, generate);

}  // namespace
}  // namespace ampcheck::properties
