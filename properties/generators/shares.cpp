#include "properties/generators/shares.hpp"

namespace ampcheck::properties {

using reference::binary64;

subject::Scalar draw_share(Draw& draw) {
  return scalar(dyadic(draw.between(1, 3), -2, binary64), binary64);
}

}  // namespace ampcheck::properties
