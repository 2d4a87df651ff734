#include "properties/clause.hpp"
#include "properties/generators/token_rows.hpp"

namespace ampcheck::properties {
namespace {

// Micro-batches of one size, up to eight steps of them, on one to four ranks: 4 × 8 × 4 = 128. A
// second window has another batch. A sample is a row of one token.
Case generate(Draw& draw) {
  CaseBuilder builder = token_session(draw);
  const std::int64_t ranks = draw.pick<std::int64_t>({1, 2, 4, 4});
  // A third of the batches is no power of two.
  const auto draw_number = [&](std::int64_t other) {
    return draw.chance(6) ? other : draw.pick<std::int64_t>({1, 2, 4, 8});
  };
  for (int w = 0; w < 2; ++w) {
    const std::int64_t size = draw_number(3), steps = draw_number(5);
    subject::TokenWindow window =
        even_split(draw_single_tokens(draw, size * steps * ranks), ranks, size);
    window.reducer = draw.coin() ? subject::Reducer::mean : subject::Reducer::sum;
    builder.add(std::move(window)).unscale("o").observe({"gradient/w"});
    builder.step("o").observe({"parameter/w"});
    builder.update().zero_grad("o");
  }
  return builder.ranks(ranks).done();
}

AMPCHECK_CLAUSE("accumulation/effective-batch", kGradient | kParameter, generate);

}  // namespace
}  // namespace ampcheck::properties
