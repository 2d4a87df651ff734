#include "properties/generators/pieces.hpp"

#include <algorithm>
#include <utility>

namespace ampcheck::properties {

Pieces draw_pieces(Draw& draw, const std::vector<std::int64_t>& integers, int base,
                   TensorFormats formats, Signs signs) {
  const auto count =
      static_cast<std::size_t>(draw.between(1, std::min<std::int64_t>(3, std::ssize(integers))));
  std::vector<std::vector<std::uint64_t>> pieces(count);
  for (std::size_t i = 0; i < integers.size(); ++i) {
    const std::size_t at =
        i < count ? i : static_cast<std::size_t>(draw.between(0, std::ssize(pieces) - 1));
    const bool turns = signs == Signs::drawn && !draw.coin();
    pieces[at].push_back(dyadic(turns ? -integers[i] : integers[i], base, *formats.delivered));
  }
  Pieces made;
  for (std::vector<std::uint64_t>& piece : pieces) {
    made.plans.push_back({"p" + std::to_string(made.plans.size()), formats, piece.size()});
    made.coefficients.push_back(
        {made.plans.back().name, vector(std::move(piece), *formats.delivered)});
  }
  return made;
}

}  // namespace ampcheck::properties
