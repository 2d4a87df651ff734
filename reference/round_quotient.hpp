// Rounding a quotient without forming it, which unscaling does a million times a second.
#pragma once

#include "reference/rounding.hpp"

namespace ampcheck::reference {

// The pattern of a/b, rounded to nearest even: what round_to(a / b, …) gives, by one division of
// integers where both have a short form. Throws std::domain_error for b = 0.
std::uint64_t round_quotient(const Rational& a, const Rational& b, const NumberFormat& format,
                             bool negative_zero = false);

}  // namespace ampcheck::reference
