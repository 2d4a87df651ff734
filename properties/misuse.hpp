// Cases that misuse the library: a good one refuses, and stays as it was.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "subject/case.hpp"

namespace ampcheck::properties {

// The cases of its clause hold steps that no other case may hold (check_case.hpp).
bool is_about_misuse(const subject::Case&);

// The steps of a case that misuse the library, by index, and how, as session_order.hpp and
// settings.hpp say it ("op: expected one unscale in a window, before the step, found a second"):
//  - a backward after unscale or step, a second unscale or one after the step, a second step, an
//    update with nothing to judge;
//  - the unscale of a gradient that another optimizer has unscaled;
//  - a scaler with settings that make no sense, a clip whose limit is negative, inf or NaN.
// Each is taken as not done by the steps that follow it.
std::map<std::size_t, std::string> misuses(const subject::Case&);

}  // namespace ampcheck::properties
