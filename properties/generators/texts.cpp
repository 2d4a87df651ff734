#include "properties/generators/texts.hpp"

#include <bit>

namespace ampcheck::properties {
namespace {

using reference::binary32;
using subject::TokenMicroBatch;
using subject::TokenWindow;

TokenMicroBatch draw_batch(Draw& draw, std::int64_t rows, std::int64_t length,
                           std::int64_t ignore_index, int ignored_one_in) {
  TokenMicroBatch made;
  made.rows = rows;
  made.losses = {&binary32, {rows * length}, {}};
  made.coefficients = {&binary32, {rows * length, 2}, {}};
  for (std::int64_t t = 0; t < rows * length; ++t) {
    const std::int64_t label = draw.between(0, 9);
    const bool is_ignored = ignored_one_in > 0 && draw.chance(ignored_one_in);
    made.labels.push_back(is_ignored ? ignore_index : label == ignore_index ? 0 : label);
    made.times.push_back(1);
    made.losses.bits.push_back(dyadic(draw.between(0, 31), -2, binary32));
    made.coefficients.bits.push_back(dyadic(2 * draw.between(0, 15) + 1, -3, binary32));
    made.coefficients.bits.push_back(dyadic(2 * draw.between(-15, 15) + 1, -3, binary32));
  }
  return made;
}

// Labels to predict that are not ignored.
std::int64_t counted(const TokenMicroBatch& batch, std::int64_t ignore_index) {
  const std::int64_t tokens = std::ssize(batch.labels), length = tokens / batch.rows;
  std::int64_t count = 0;
  for (std::int64_t t = 0; t < tokens; ++t)
    if (t % length != 0 && batch.labels[static_cast<std::size_t>(t)] != ignore_index) ++count;
  return count;
}

}  // namespace

TokenWindow draw_texts(Draw& draw, bool power_of_two_count, std::int64_t ranks) {
  TokenWindow window;
  window.parameter = "w";
  window.shift = 1;
  window.reducer = draw.coin() ? subject::Reducer::mean : subject::Reducer::sum;
  window.ignore_index = draw.pick<std::int64_t>({-100, -100, -1, 7});
  const std::int64_t micro_batches = draw.between(1, 3);
  std::int64_t count = 0;
  for (std::int64_t r = 0; r < ranks; ++r) {
    window.ranks.emplace_back();
    for (std::int64_t m = 0; m < micro_batches; ++m) {
      // A first text of which something counts.
      const std::int64_t shortest = r == 0 && m == 0 ? 2 : 1;
      const int ignored_one_in = static_cast<int>(draw.pick({0, 3, 5}));
      window.ranks.back().push_back(draw_batch(draw, draw.between(1, 3), draw.between(shortest, 5),
                                               window.ignore_index,
                                               shortest == 2 ? 0 : ignored_one_in));
      count += counted(window.ranks.back().back(), window.ignore_index);
    }
  }
  const auto all = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(count)));
  if (power_of_two_count && all > count)
    window.ranks.back().push_back(draw_batch(draw, 1, all - count + 1, window.ignore_index, 0));
  return window;
}

}  // namespace ampcheck::properties
