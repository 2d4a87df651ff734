// Which cases a subject can be asked.
#pragma once

#include <string>
#include <vector>

#include "subject/case.hpp"
#include "subject/hello.hpp"

namespace ampcheck::properties {

// Why a case lies outside of what the subject offers (an operation, a format, a form, a limit), in
// words that name the field of its hello. Empty where the case can be played.
std::string inapplicable(const subject::Case&, const subject::Hello&);

// Clauses that the subject's claimed profiles require: ids' rules, as PROTOCOL.md lists them.
bool is_required(std::string_view clause, const std::vector<std::string>& profiles);

// Words for something in a hello that cannot be: an unknown operation, profile, or form; a policy
// that no scaler has. Empty where all is well. That an axis is not declared is no fault here:
// Policy::missing tells.
std::string hello_problem(const subject::Hello&);

}  // namespace ampcheck::properties
