#include "properties/generators/far_gradients.hpp"

#include <algorithm>
#include <utility>

#include "properties/generators/shuffle.hpp"

namespace ampcheck::properties {

using namespace reference;

FarGradients draw_far_gradients(Draw& draw, const SquareSum& sum, int base) {
  std::vector<std::int64_t> integers = sum.integers;
  shuffle(draw, integers);
  const bool is_narrow = base > 0 && base < binary16.max_exponent();
  const TensorFormats formats = is_narrow ? TensorFormats{&binary16, &binary16}
                                          : draw.pick<TensorFormats>({{&binary32, &binary32},
                                                                      {&binary32, &binary32},
                                                                      {&bfloat16, &binary32},
                                                                      {&bfloat16, &bfloat16}});
  const auto count =
      static_cast<std::size_t>(draw.between(1, std::min<std::int64_t>(3, std::ssize(integers))));
  std::vector<std::vector<std::uint64_t>> pieces(count);
  for (std::size_t i = 0; i < integers.size(); ++i) {
    const std::size_t at =
        i < count ? i : static_cast<std::size_t>(draw.between(0, std::ssize(pieces) - 1));
    pieces[at].push_back(
        dyadic(draw.coin() ? integers[i] : -integers[i], base, *formats.delivered));
  }
  FarGradients made;
  for (std::vector<std::uint64_t>& piece : pieces) {
    made.plans.push_back({"p" + std::to_string(made.plans.size()), formats, piece.size()});
    made.coefficients.push_back(
        {made.plans.back().name, vector(std::move(piece), *formats.delivered)});
  }
  return made;
}

}  // namespace ampcheck::properties
