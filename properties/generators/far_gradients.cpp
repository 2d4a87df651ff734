#include "properties/generators/far_gradients.hpp"

#include "properties/generators/shuffle.hpp"

namespace ampcheck::properties {

using namespace reference;

Pieces draw_far_gradients(Draw& draw, const SquareSum& sum, int base) {
  std::vector<std::int64_t> integers = sum.integers;
  shuffle(draw, integers);
  const bool is_narrow = base > 0 && base < binary16.max_exponent();
  const TensorFormats formats = is_narrow ? TensorFormats{&binary16, &binary16}
                                          : draw.pick<TensorFormats>({{&binary32, &binary32},
                                                                      {&binary32, &binary32},
                                                                      {&bfloat16, &binary32},
                                                                      {&bfloat16, &bfloat16}});
  return draw_pieces(draw, integers, base, formats, Signs::drawn);
}

}  // namespace ampcheck::properties
