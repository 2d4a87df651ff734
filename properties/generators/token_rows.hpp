// Rows of tokens, and windows that spread them over ranks and micro-batches.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "properties/generators/tokens.hpp"

namespace ampcheck::properties {

// `times` equal tokens, of a parameter "w" of two elements in binary32.
struct TokenRow {
  std::int64_t label;
  std::int64_t times;
  std::uint64_t loss;
  std::array<std::uint64_t, 2> coefficients;
};

struct TokenRows {
  std::int64_t ignore_index;
  std::vector<TokenRow> rows;
};

// Rows that count, with odd multiples of 1/8 as coefficients and 2^k tokens in all, so that nothing
// rounds, and up to three that do not count. The first element is positive everywhere: no window
// sums to zero.
TokenRows draw_token_rows(Draw&, std::int64_t counted_rows);

// As many rows of one token, all of which count, as they are: their number is the count.
TokenRows draw_single_tokens(Draw&, std::int64_t rows);

// Any row anywhere: one to `most` micro-batches a rank, the same number on all ranks or not, some
// maybe without a token. Equal tokens may part. The reducer is either.
subject::TokenWindow draw_split(Draw&, const TokenRows&, std::int64_t ranks, std::int64_t most);

// One more rank, as long as the first one, all of whose tokens are ignored.
void add_idle_rank(Draw&, subject::TokenWindow&);

// Micro-batches of `size` rows in turn, the same number on every rank.
subject::TokenWindow even_split(const TokenRows&, std::int64_t ranks, std::int64_t size);

}  // namespace ampcheck::properties
