#include "properties/clause.hpp"
#include "properties/generators/class_weights.hpp"

namespace ampcheck::properties {
namespace {

// One or two windows with weights of their own, spread over ranks and micro-batches; some weights
// add up to nothing dyadic.
Case generate(Draw& draw) {
  CaseBuilder builder = token_session(draw);
  const std::int64_t ranks = draw.pick<std::int64_t>({1, 1, 1, 2, 2, 4});
  for (std::int64_t w = draw.between(1, 2); w > 0; --w) {
    const WeightedRows rows = draw_weighted_rows(draw, draw.between(2, 12));
    subject::TokenWindow window = draw_split(draw, rows.rows, ranks, 4);
    window.class_weights =
        draw.chance(4) ? draw_irregular_weights(draw, std::ssize(rows.weights.bits)) : rows.weights;
    if (draw.chance(4)) spoil_ignored(draw, window);
    builder.add(std::move(window)).observe({"loss"}).unscale("o").observe({"gradient/w"});
    builder.finish_window("o");
  }
  return builder.ranks(ranks).done();
}

AMPCHECK_CLAUSE("tokens/weights-divide", kGradient | kLoss, generate);

}  // namespace
}  // namespace ampcheck::properties
