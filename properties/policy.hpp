// A declared policy as the reference understands it.
#pragma once

#include "reference/policy.hpp"
#include "subject/policy.hpp"

namespace ampcheck::properties {

// Throws std::invalid_argument for a value that the table of axes does not know. Axes that must be
// declared and are not count as their textbook value; who runs cases has checked Policy::missing()
// before.
reference::Policy reference_policy(const subject::Policy&);

}  // namespace ampcheck::properties
