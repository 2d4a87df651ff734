#include "properties/generators/token_rows.hpp"

#include <bit>

#include "properties/generators/shuffle.hpp"

namespace ampcheck::properties {
namespace {

using reference::binary32;
using subject::TokenMicroBatch;
using subject::TokenWindow;

TokenRow draw_row(Draw& draw, std::int64_t label, std::int64_t times) {
  const std::int64_t second = 2 * draw.between(-15, 15) + 1;
  return {label,
          times,
          dyadic(draw.between(0, 31), -2, binary32),
          {dyadic(2 * draw.between(0, 15) + 1, -3, binary32), dyadic(second, -3, binary32)}};
}

std::int64_t draw_label(Draw& draw, std::int64_t ignore_index) {
  const std::int64_t label = draw.between(0, 9);
  return label == ignore_index ? 0 : label;
}

TokenMicroBatch empty_micro_batch() {
  TokenMicroBatch made;
  made.losses = {&binary32, {0}, {}};
  made.coefficients = {&binary32, {0, 2}, {}};
  return made;
}

void add(TokenMicroBatch& micro_batch, const TokenRow& row) {
  micro_batch.labels.push_back(row.label);
  micro_batch.times.push_back(row.times);
  micro_batch.losses.bits.push_back(row.loss);
  for (const std::uint64_t c : row.coefficients) micro_batch.coefficients.bits.push_back(c);
  ++micro_batch.losses.shape.front();
  ++micro_batch.coefficients.shape.front();
}

TokenWindow window_over(const TokenRows& rows, std::int64_t ranks) {
  TokenWindow window;
  window.parameter = "w";
  window.ignore_index = rows.ignore_index;
  window.ranks.resize(static_cast<std::size_t>(ranks));
  return window;
}

}  // namespace

TokenRows draw_token_rows(Draw& draw, std::int64_t counted_rows) {
  TokenRows made{draw.pick<std::int64_t>({-100, -100, -1, 7}), {}};
  std::int64_t count = 0;
  for (std::int64_t i = 1; i < counted_rows; ++i) {
    const std::int64_t times = draw.coin() ? 1 : draw.between(2, 4);
    made.rows.push_back(draw_row(draw, draw_label(draw, made.ignore_index), times));
    count += times;
  }
  // The last one makes it a power of two.
  const auto all = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(count) + 1));
  made.rows.push_back(draw_row(draw, draw_label(draw, made.ignore_index), all - count));
  for (std::int64_t ignored = draw.between(0, 3); ignored > 0; --ignored)
    made.rows.push_back(draw_row(draw, made.ignore_index, draw.between(1, 3)));
  return made;
}

TokenRows draw_single_tokens(Draw& draw, std::int64_t rows) {
  TokenRows made{-100, {}};
  for (; rows > 0; --rows)
    made.rows.push_back(draw_row(draw, draw_label(draw, made.ignore_index), 1));
  return made;
}

TokenWindow draw_split(Draw& draw, const TokenRows& given, std::int64_t ranks, std::int64_t most) {
  TokenWindow window = window_over(given, ranks);
  window.reducer = draw.coin() ? subject::Reducer::mean : subject::Reducer::sum;
  const bool is_even = draw.coin();
  const std::int64_t number = draw.between(1, most);
  for (auto& rank : window.ranks)
    rank.resize(static_cast<std::size_t>(is_even ? number : draw.between(1, most)),
                empty_micro_batch());
  std::vector<TokenRow> rows;
  for (const TokenRow& row : given.rows) {
    rows.push_back(row);
    if (row.times == 1 || draw.coin()) continue;
    rows.back().times = draw.between(1, row.times - 1);
    rows.push_back(row);
    rows.back().times -= rows[rows.size() - 2].times;
  }
  shuffle(draw, rows);
  for (const TokenRow& row : rows) {
    auto& rank = window.ranks[static_cast<std::size_t>(draw.between(0, ranks - 1))];
    add(rank[static_cast<std::size_t>(draw.between(0, std::ssize(rank) - 1))], row);
  }
  return window;
}

void add_idle_rank(Draw& draw, TokenWindow& window) {
  std::vector<TokenMicroBatch> idle(window.ranks.front().size(), empty_micro_batch());
  for (TokenMicroBatch& micro_batch : idle)
    for (std::int64_t tokens = draw.between(1, 3); tokens > 0; --tokens)
      add(micro_batch, draw_row(draw, window.ignore_index, 1));
  window.ranks.insert(window.ranks.begin() + draw.between(0, std::ssize(window.ranks)),
                      std::move(idle));
}

TokenWindow even_split(const TokenRows& given, std::int64_t ranks, std::int64_t size) {
  TokenWindow window = window_over(given, ranks);
  for (std::size_t i = 0; i < given.rows.size(); ++i) {
    const std::size_t micro_batch = i / static_cast<std::size_t>(size);
    auto& rank = window.ranks[micro_batch % window.ranks.size()];
    if (i % static_cast<std::size_t>(size) == 0) rank.push_back(empty_micro_batch());
    add(rank.back(), given.rows[i]);
  }
  return window;
}

}  // namespace ampcheck::properties
