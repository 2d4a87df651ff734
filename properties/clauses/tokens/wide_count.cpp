#include "properties/clause.hpp"
#include "properties/generators/tokens.hpp"

namespace ampcheck::properties {
namespace {

// Counts that binary16, binary32 or 32 bits do not hold, nearly all of them of tokens whose
// gradient is zero, so that the sum stays short whatever the count.
Case generate(Draw& draw) {
  return draw_token_case(
      draw,
      {.more = draw.pick<std::int64_t>({2045, 2046, 1 << 24, (1 << 24) + 1023,
                                        std::int64_t{1} << 31, (std::int64_t{1} << 33) + 5})},
      draw.pick<std::int64_t>({1, 1, 2}));
}

AMPCHECK_CLAUSE("tokens/wide-count", kGradient, generate);

}  // namespace
}  // namespace ampcheck::properties
