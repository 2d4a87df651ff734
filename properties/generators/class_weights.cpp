#include "properties/generators/class_weights.hpp"

#include <bit>

namespace ampcheck::properties {
namespace {

using reference::binary32;

// Of draw_token_rows.
constexpr std::size_t kClasses = 10;

}  // namespace

WeightedRows draw_weighted_rows(Draw& draw, std::int64_t counted_rows) {
  WeightedRows made{draw_token_rows(draw, counted_rows), {}};
  std::vector<std::int64_t> quarters;
  while (quarters.size() < kClasses) quarters.push_back(draw.between(1, 12));
  // The class that fills up has the smallest weight, and another one has another.
  quarters[8] = 1;
  quarters[9] = draw.between(2, 12);
  std::int64_t sum = 0;
  for (const TokenRow& row : made.rows.rows)
    if (row.label != made.rows.ignore_index)
      sum += row.times * quarters[static_cast<std::size_t>(row.label)];
  TokenRow last = made.rows.rows.front();
  last.label = 9;
  last.times = 1;
  sum += quarters[9];
  made.rows.rows.push_back(last);
  last.label = 8;
  last.times = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(sum) + 1)) - sum;
  made.rows.rows.push_back(last);
  std::vector<std::uint64_t> bits;
  for (const std::int64_t quarter : quarters) bits.push_back(dyadic(quarter, -2, binary32));
  made.weights = vector(bits, binary32);
  return made;
}

Tensor draw_irregular_weights(Draw& draw, std::int64_t classes) {
  std::vector<std::uint64_t> bits;
  for (; classes > 0; --classes)
    bits.push_back(draw_normal(draw, binary32, -3, 2) & ~binary32.sign_bit());
  return vector(bits, binary32);
}

}  // namespace ampcheck::properties
