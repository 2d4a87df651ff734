// Plain floating point for subjects in process: patterns to doubles and back.
//
// Nothing here comes from the reference, which must not share code with what it judges. A number of
// any format up to binary64 is a double; arithmetic of a shorter format is done in double and then
// narrowed. The formats are those of the protocol, kFormats. For +, -, *, / and square root of
// binary32 and shorter numbers this rounds as one rounding does, since 53 >= 2·24 + 2.
#pragma once

#include <cstdint>

#include "reference/number_format.hpp"

namespace ampcheck::subject {

// The value of a pattern; NaN keeps no payload.
double to_double(std::uint64_t bits, const reference::NumberFormat& format);

// x rounded to nearest even in the format, as a double again. Beyond the largest finite number:
// inf, or NaN in a format without infinity.
double narrow(double x, const reference::NumberFormat& format);

// The pattern of narrow(x).
std::uint64_t to_bits(double x, const reference::NumberFormat& format);

}  // namespace ampcheck::subject
