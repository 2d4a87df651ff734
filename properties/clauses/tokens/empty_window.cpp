#include "properties/clause.hpp"
#include "properties/generators/tokens.hpp"

namespace ampcheck::properties {
namespace {

// No token of a whole window counts, before or after a window in which some do.
Case generate(Draw& draw) {
  CaseBuilder builder = token_session(draw);
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
  return builder.ranks(ranks).done();
}

AMPCHECK_CLAUSE("tokens/empty-window", kGradient | kScale, generate);

}  // namespace
}  // namespace ampcheck::properties
