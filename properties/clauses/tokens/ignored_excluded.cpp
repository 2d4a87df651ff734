#include "properties/clause.hpp"
#include "properties/generators/tokens.hpp"

namespace ampcheck::properties {
namespace {

// inf and NaN in half of the tokens that do not count.
void spoil(Draw& draw, subject::TokenWindow& window) {
  for (auto& rank : window.ranks)
    for (subject::TokenMicroBatch& micro_batch : rank)
      for (std::size_t t = 0; t < micro_batch.labels.size(); ++t) {
        if (micro_batch.labels[t] != window.ignore_index || draw.coin()) continue;
        micro_batch.losses.bits[t] = draw_non_finite(draw, *micro_batch.losses.format);
        micro_batch.coefficients.bits[2 * t + 1] =
            draw_non_finite(draw, *micro_batch.coefficients.format);
      }
}

// Tokens with the ignore index among the others, and labels (0, -100, -1, 7) that only sometimes
// are it.
Case generate(Draw& draw) {
  Case made = draw_token_case(draw, {.ignored = true}, draw.pick<std::int64_t>({1, 1, 1, 2}));
  if (draw.chance(3))
    for (subject::Step& step : made.steps)
      if (auto* window = std::get_if<subject::TokenWindow>(&step.action)) spoil(draw, *window);
  return made;
}

AMPCHECK_CLAUSE("tokens/ignored-excluded", kGradient, generate);

}  // namespace
}  // namespace ampcheck::properties
