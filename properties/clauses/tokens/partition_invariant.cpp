#include "properties/clause.hpp"
#include "properties/generators/token_rows.hpp"

namespace ampcheck::properties {
namespace {

// The same rows in two or three windows, each of which spreads them in its own way over ranks and
// up to eight micro-batches.
Case generate(Draw& draw) {
  CaseBuilder builder = token_session(draw);
  const std::int64_t ranks = draw.pick<std::int64_t>({1, 1, 2, 4});
  const TokenRows rows = draw_token_rows(draw, draw.between(3, 20));
  for (std::int64_t w = draw.between(2, 3); w > 0; --w)
    builder.add(draw_split(draw, rows, ranks, 8))
        .unscale("o")
        .observe({"gradient/w"})
        .finish_window("o");
  return builder.ranks(ranks).done();
}

AMPCHECK_CLAUSE("tokens/partition-invariant", kGradient, generate);

}  // namespace
}  // namespace ampcheck::properties
