#include "properties/clause.hpp"
#include "properties/generators/tokens.hpp"

namespace ampcheck::properties {
namespace {

// Tokens with the ignore index among the others, and labels (0, -100, -1, 7) that only sometimes
// are it.
Case generate(Draw& draw) {
  Case made = draw_token_case(draw, {.ignored = true}, draw.pick<std::int64_t>({1, 1, 1, 2}));
  if (draw.chance(3))
    for (subject::Step& step : made.steps)
      if (auto* window = std::get_if<subject::TokenWindow>(&step.action))
        spoil_ignored(draw, *window);
  return made;
}

AMPCHECK_CLAUSE("tokens/ignored-excluded", kGradient, generate);

}  // namespace
}  // namespace ampcheck::properties
