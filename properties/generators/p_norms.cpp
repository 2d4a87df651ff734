#include "properties/generators/p_norms.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "properties/generators/shuffle.hpp"

namespace ampcheck::properties {

using reference::binary32;

namespace {

std::vector<std::int64_t> draw_magnitudes(Draw& draw) {
  std::vector<std::int64_t> magnitudes(static_cast<std::size_t>(draw.between(1, 8)));
  for (std::int64_t& m : magnitudes) m = draw.between(1, 31);
  return magnitudes;
}

PowerSum draw_cubes(Draw& draw) {
  static const std::vector<SquareSum> kCubes = {
      {{3, 4, 5}, 6}, {{1, 6, 8}, 9}, {{1, 1, 1, 1, 1, 1, 1, 1}, 2}, {{7}, 7}};
  const SquareSum& drawn = draw.pick(kCubes);
  return {scalar(dyadic(3, 0, binary32), binary32), drawn.integers, drawn.norm};
}

PowerSum draw_unsigned(Draw& draw) {
  switch (draw.between(0, 6)) {
    case 0:
    case 1: {
      const SquareSum drawn = draw_square_sum(draw);
      return {subject::ClipNorm{}.p, drawn.integers, drawn.norm};
    }
    case 2: {
      const std::vector<std::int64_t> drawn = draw_magnitudes(draw);
      return {scalar_power_of_two(0, binary32), drawn,
              std::accumulate(drawn.begin(), drawn.end(), std::int64_t{0})};
    }
    case 3:
      return draw_cubes(draw);
    default: {
      const std::vector<std::int64_t> drawn = draw_magnitudes(draw);
      return {scalar(binary32.infinity(), binary32), drawn, std::ranges::max(drawn)};
    }
  }
}

}  // namespace

PowerSum draw_power_sum(Draw& draw) {
  PowerSum sum = draw_unsigned(draw);
  shuffle(draw, sum.integers);
  const std::int64_t largest = std::ranges::max(sum.integers);
  const bool largest_is_negative = !draw.chance(4);
  for (std::int64_t& x : sum.integers)
    if (x == largest ? largest_is_negative : draw.coin()) x = -x;
  return sum;
}

}  // namespace ampcheck::properties
