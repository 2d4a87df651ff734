#include "properties/clause.hpp"
#include "properties/generators/tokens.hpp"

namespace ampcheck::properties {
namespace {

// A micro-batch whose tokens are all ignored, or that has none, at any place among others.
Case generate(Draw& draw) {
  const std::int64_t ranks = draw.pick<std::int64_t>({1, 1, 2});
  return draw_token_case(draw, {.empty_micro_batch = true}, ranks);
}

AMPCHECK_CLAUSE("tokens/empty-micro-batch", kGradient, generate);

}  // namespace
}  // namespace ampcheck::properties
