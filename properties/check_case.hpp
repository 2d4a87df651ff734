// Which cases can be judged at all.
#pragma once

#include "subject/case.hpp"

namespace ampcheck::properties {

// Throws reference::BadSession, "steps[3].limit: expected …, found …", where a case makes no sense
// (an unknown name, another shape, a number that its parameter cannot hold), asks for what a right
// implementation may refuse (a negative learning rate), or misuses it, see session_order.hpp.
void check_case(const subject::Case&);

}  // namespace ampcheck::properties
