// Rational bounds of exp and log, for sums and quotients of them.
//
// Transcendental (transcendental.hpp) only compares; here are two numbers between which the value
// lies, so that further arithmetic on them stays rigorous. Both come from MPFR, whose functions are
// correctly rounded in the direction asked for.
#pragma once

#include "reference/interval.hpp"

namespace ampcheck::reference {

// Within 2^-255 of each other, relative to the value. From -4096 down exp is between 0 and 2^-5000,
// which is far below the smallest number of every format.
Interval exp_enclosure(const Rational& q);
// Throws std::domain_error for q <= 0.
Interval log_enclosure(const Rational& q);

}  // namespace ampcheck::reference
