// The smallest case that still fails in the same way.
#pragma once

#include "properties/clause.hpp"
#include "properties/verdict.hpp"
#include "reference/policy.hpp"
#include "subject/subject.hpp"

namespace ampcheck::properties {

// Plays smaller cases (smaller_cases) on the subject as long as they fail with the same kind of
// fault, or it falls in the same way, for up to `seconds`. Sets shrunk, reply, fault, reason and
// tries of the failure. A case that timed out stays as it is.
void shrink(subject::Subject&, const Clause&, const reference::Policy&, double seconds, Failure&);

}  // namespace ampcheck::properties
