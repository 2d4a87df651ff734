#include "properties/clause.hpp"
#include "properties/generators/texts.hpp"

namespace ampcheck::properties {
namespace {

// inf and NaN at the end of some texts, where nothing is predicted.
void spoil_ends(Draw& draw, subject::TokenWindow& window) {
  for (auto& rank : window.ranks)
    for (subject::TokenMicroBatch& micro_batch : rank) {
      const std::size_t tokens = micro_batch.labels.size();
      const std::size_t length = tokens / static_cast<std::size_t>(micro_batch.rows);
      for (std::size_t t = length - 1; t < tokens; t += length) {
        if (draw.coin()) continue;
        micro_batch.losses.bits[t] = draw_non_finite(draw, *micro_batch.losses.format);
        micro_batch.coefficients.bits[2 * t] =
            draw_non_finite(draw, *micro_batch.coefficients.format);
      }
    }
}

// Texts whose labels come unshifted, on one or more ranks.
Case generate(Draw& draw) {
  CaseBuilder builder = token_session(draw);
  const std::int64_t ranks = draw.pick<std::int64_t>({1, 1, 1, 2, 4});
  for (std::int64_t w = draw.between(1, 2); w > 0; --w) {
    subject::TokenWindow window = draw_texts(draw, !draw.chance(4), ranks);
    if (draw.chance(4)) spoil_ends(draw, window);
    builder.add(std::move(window)).observe({"loss"}).unscale("o").observe({"gradient/w"});
    builder.finish_window("o");
  }
  return builder.ranks(ranks).done();
}

AMPCHECK_CLAUSE("tokens/shifted-count", kGradient | kLoss, generate);

}  // namespace
}  // namespace ampcheck::properties
