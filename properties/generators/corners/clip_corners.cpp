#include "properties/generators/corners/clip_corners.hpp"

#include "properties/generators/corners/aim.hpp"
#include "reference/rounding.hpp"

namespace ampcheck::properties {

using namespace reference;  // the formats

ClipCorners draw_clip_corners(Draw& draw) {
  struct Squares {
    std::vector<std::int64_t> integers;
    std::int64_t norm;
  };
  const auto gradient = [&](const Squares& squares, int base) {
    std::vector<std::uint64_t> bits;
    for (const std::int64_t integer : squares.integers)
      bits.push_back(dyadic(draw.coin() ? integer : -integer, base, binary32));
    return bits;
  };
  if (draw.chance(6)) {  // a subnormal element beside a normal one, and half of each or less
    const Squares squares{{1 << 12, (1 << 22) - 1}, (1 << 22) + 1};
    const int base = -139, down = static_cast<int>(draw.between(1, 3));
    return {gradient(squares, base), scalar(dyadic(squares.norm, base - down, binary32), binary32)};
  }
  const Squares squares = draw.pick<Squares>(
      {{{1, 1, 1, 1}, 2}, {{3, 2, 1, 1, 1}, 4}, {{5, 5, 3, 2, 1}, 8}, {{15, 5, 2, 1, 1}, 16}});
  const int base = static_cast<int>(draw.between(-10, 20));
  ClipCorners made{gradient(squares, base), {}};
  if (draw.chance(3))
    for (int more = 0; more < 3; ++more)
      made.gradient.push_back(draw_at(draw, binary32, static_cast<int>(draw.between(-149, -120))));
  // Near the norm, or near the smallest normal number.
  const int exponent =
      static_cast<int>(draw.chance(3) ? draw.between(-126, -118) : base + draw.between(-4, 0));
  const std::uint64_t limit = draw.coin()
                                  ? draw_normal(draw, binary32, exponent, exponent)
                                  : draw_at(draw, binary32, exponent, squares.integers.front());
  made.limit = scalar(limit & ~binary32.sign_bit(), binary32);
  return made;
}

}  // namespace ampcheck::properties
