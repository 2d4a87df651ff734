// Settings that part something in two, such as momentum and dampening.
#pragma once

#include "properties/generators/case_builder.hpp"

namespace ampcheck::properties {

// 1/4, 1/2 or 3/4: in two cases of three the other part is another number.
subject::Scalar draw_share(Draw&);

}  // namespace ampcheck::properties
