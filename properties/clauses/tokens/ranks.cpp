#include "properties/clause.hpp"
#include "properties/generators/token_rows.hpp"

namespace ampcheck::properties {
namespace {

// One window on one to four ranks, also three, twice: its ranks averaged, and added. In some, no
// token of a further rank counts.
Case generate(Draw& draw) {
  CaseBuilder builder = token_session(draw);
  std::int64_t ranks = draw.pick<std::int64_t>({1, 2, 2, 3, 4, 4});
  subject::TokenWindow window =
      draw_split(draw, draw_token_rows(draw, draw.between(ranks, 4 * ranks)), ranks, 3);
  if (ranks < 4 && draw.chance(4)) {
    add_idle_rank(draw, window);
    ++ranks;
  }
  for (int w = 0; w < 2; ++w) {
    builder.add(window).unscale("o").observe({"gradient/w"}).finish_window("o");
    window.reducer =
        window.reducer == subject::Reducer::mean ? subject::Reducer::sum : subject::Reducer::mean;
  }
  return builder.ranks(ranks).done();
}

AMPCHECK_CLAUSE("tokens/ranks", kGradient, generate);

}  // namespace
}  // namespace ampcheck::properties
