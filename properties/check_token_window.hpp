// Class weights and shifted labels that make sense.
#pragma once

#include "subject/case.hpp"

namespace ampcheck::properties {

// Throws reference::BadSession, with the field, for weights that are not finite and above 0 in
// binary32, for a label without a weight, rows of unequal length, and a shift of equal tokens, of
// which nothing says in which order they stand.
void check_token_window(const subject::TokenWindow&);

}  // namespace ampcheck::properties
