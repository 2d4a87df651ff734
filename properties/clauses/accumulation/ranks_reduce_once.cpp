#include "properties/clause.hpp"
#include "properties/generators/token_rows.hpp"

namespace ampcheck::properties {
namespace {

using reference::binary32;

// Coefficients of any significand: in which order a reduction adds shows in the last bits, which
// all ranks have in common whatever they are.
Case generate(Draw& draw) {
  CaseBuilder builder = token_session(draw);
  const std::int64_t ranks = draw.pick<std::int64_t>({2, 3, 4, 4});
  for (std::int64_t w = draw.between(1, 2); w > 0; --w) {
    TokenRows rows = draw_token_rows(draw, draw.between(2 * ranks, 4 * ranks));
    for (TokenRow& row : rows.rows)
      for (std::uint64_t& c : row.coefficients) c = draw_normal(draw, binary32, -3, 3);
    builder.add(draw_split(draw, rows, ranks, 6)).observe({"gradient/w"});
    builder.unscale("o").observe({"gradient/w"});
    builder.finish_window("o");
  }
  return builder.ranks(ranks).done();
}

AMPCHECK_CLAUSE("accumulation/ranks-reduce-once", kGradient, generate);

}  // namespace
}  // namespace ampcheck::properties
