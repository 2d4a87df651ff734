#include "properties/generators/norms.hpp"

#include <utility>

namespace ampcheck::properties {

using namespace reference;

SquareSum draw_square_sum(Draw& draw) {
  static const std::vector<SquareSum> kPowers = {{{1}, 1},
                                                 {{1, 1, 1, 1}, 2},
                                                 {{2, 2, 2, 2}, 4},
                                                 {{1, 1, 1, 2, 3}, 4},
                                                 {{3, 3, 3, 3, 3, 3, 3, 1}, 8},
                                                 {{1, 3, 3, 6, 3}, 8}};
  static const std::vector<SquareSum> kOthers = {{{3, 4}, 5},    {{1, 2, 2}, 3}, {{2, 3, 6}, 7},
                                                 {{1, 4, 8}, 9}, {{5, 12}, 13},  {{2, 4, 5, 6}, 9}};
  return draw.coin() ? draw.pick(kPowers) : draw.pick(kOthers);
}

NormWindow draw_norm_window(Draw& draw) {
  const SquareSum sum = draw_square_sum(draw);
  NormWindow window;
  window.norm = sum.norm;
  window.base = static_cast<int>(draw.between(5, 8));
  window.scale = static_cast<int>(draw.between(-8, 4));
  const TensorFormats formats = draw.pick<TensorFormats>({{&binary32, &binary32},
                                                          {&binary32, &binary32},
                                                          {&binary16, &binary32},
                                                          {&bfloat16, &binary32},
                                                          {&bfloat16, &bfloat16}});
  std::vector<std::int64_t> integers = sum.integers;
  for (std::size_t i = integers.size(); i > 1; --i)
    std::swap(
        integers[i - 1],
        integers[static_cast<std::size_t>(draw.between(0, static_cast<std::int64_t>(i) - 1))]);
  std::vector<std::vector<std::uint64_t>> pieces(static_cast<std::size_t>(draw.between(1, 3)));
  for (const std::int64_t integer : integers)
    pieces[static_cast<std::size_t>(draw.between(0, static_cast<std::int64_t>(pieces.size()) - 1))]
        .push_back(dyadic(draw.coin() ? integer : -integer, window.base, *formats.delivered));
  // Now and then all that counts lies beyond a chunk of 1024 zeros.
  if (draw.chance(16)) pieces.back().insert(pieces.back().begin(), 1024, 0);
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    window.plans.push_back({"p" + std::to_string(p), formats, pieces[p].size()});
    window.coefficients.push_back(
        {window.plans.back().name, vector(pieces[p], *formats.delivered)});
  }
  return window;
}

}  // namespace ampcheck::properties
