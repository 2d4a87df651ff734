#include "properties/clause.hpp"
#include "properties/generators/tokens.hpp"

namespace ampcheck::properties {
namespace {

// Micro-batches and ranks with unequal counts, under both reducers.
Case generate(Draw& draw) {
  return draw_token_case(draw, {}, draw.pick<std::int64_t>({1, 1, 2, 4}));
}

AMPCHECK_CLAUSE("tokens/window-mean", kGradient, generate);

}  // namespace
}  // namespace ampcheck::properties
