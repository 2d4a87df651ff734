// Settings that a step may bring.
#pragma once

#include "subject/case.hpp"

namespace ampcheck::properties {

// What the names and numbers of a step must be, by themselves: those of a scaler, an optimizer and
// the limit of a clip. Throws reference::BadSession, with the field of the step.
void check_settings(const subject::Step&);

}  // namespace ampcheck::properties
