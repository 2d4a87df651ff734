#include "properties/clause.hpp"
#include "properties/generators/tokens.hpp"

namespace ampcheck::properties {
namespace {

// Tokens with the ignore index among the others, and labels (0, -100, -1, 7) that only sometimes
// are it.
Case generate(Draw& draw) {
  return draw_token_case(draw, {.ignored = true}, draw.pick<std::int64_t>({1, 1, 1, 2}));
}

AMPCHECK_CLAUSE("tokens/ignored-excluded", kGradient, generate);

}  // namespace
}  // namespace ampcheck::properties
