// A broken SHOULD is advice.
#pragma once

#include "properties/verdict.hpp"

namespace ampcheck::conformance {

// Makes advice of a failure. Whether that counts against the subject, `--strict` says.
void soften(properties::ClauseReport&);

}  // namespace ampcheck::conformance
