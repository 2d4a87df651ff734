#include "properties/clause.hpp"
#include "properties/generators/token_rows.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

void make_losses_irregular(Draw& draw, TokenRows& rows) {
  for (TokenRow& row : rows.rows) row.loss = draw_normal(draw, binary32, -4, 4);
}

// An inf in the gradient of a token that counts: the scale backs off. The losses are finite.
void make_gradient_infinite(subject::TokenWindow& window) {
  for (auto& rank : window.ranks)
    for (subject::TokenMicroBatch& micro_batch : rank)
      for (std::size_t t = 0; t < micro_batch.labels.size(); ++t)
        if (micro_batch.labels[t] != window.ignore_index) {
          micro_batch.coefficients.bits[2 * t] = binary32.infinity();
          return;
        }
}

// Windows under scales that grow and back off, few of them other than powers of two: most of sums
// and counts with which nothing rounds, some with tokens that are ignored whatever their loss, some
// of nothing else.
Case generate(Draw& draw) {
  ScalerPlan plan;
  plan.init_scale =
      draw.chance(16)
          ? scalar(draw_normal(draw, binary32, -12, 16) & ~binary32.sign_bit(), binary32)
          : scalar_power_of_two(static_cast<int>(draw.between(-12, 16)), binary32);
  plan.growth_interval = static_cast<int>(draw.between(1, 2));
  const std::int64_t ranks = draw.pick<std::int64_t>({1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 4, 4});
  CaseBuilder builder = token_session(plan);
  for (std::int64_t w = draw.between(2, 4); w > 0; --w) {
    const std::int64_t size = draw.between(ranks, 12);
    TokenRows rows = draw.chance(6) ? draw_single_tokens(draw, size) : draw_token_rows(draw, size);
    if (draw.chance(16)) make_losses_irregular(draw, rows);
    subject::TokenWindow window = draw_split(draw, rows, ranks, 4);
    if (draw.chance(3)) spoil_ignored(draw, window);
    if (draw.chance(4)) make_gradient_infinite(window);
    if (draw.chance(10))
      for (auto& rank : window.ranks)
        for (subject::TokenMicroBatch& micro_batch : rank)
          for (std::int64_t& label : micro_batch.labels) label = window.ignore_index;
    builder.add(std::move(window)).observe({"loss"}).finish_window("o");
  }
  return builder.ranks(ranks).done();
}

AMPCHECK_CLAUSE("tokens/objective-unchanged", kLoss, generate);

}  // namespace
}  // namespace ampcheck::properties
