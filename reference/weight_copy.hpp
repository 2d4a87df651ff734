// Master weights: the optimizer moves a parameter in a wide format, and the model computes with a
// copy of it in a short one (Micikevicius et al., "Mixed precision training", ICLR 2018, section
// 3.1).
#pragma once

#include <cstdint>

#include "reference/admissible.hpp"
#include "reference/policy.hpp"

namespace ampcheck::reference {

// The copy after a step: RN(master), or either neighbour where rounding is declared stochastic.
// After a skipped step the copy is the one before, whatever its rounding.
Admissible weight_copy(const Admissible& master, const NumberFormat& copy, CopyRounding rounding);

// The chance that unbiased stochastic rounding takes the neighbour above x, (x - below) / (above -
// below): 0 where x is a number of the format. Throws std::domain_error for an x beyond the largest
// finite number, where there is no unbiased choice.
Rational chance_of_rounding_up(const Rational& x, const NumberFormat& format);

// False where so many ups in so many independent roundings happen by chance less than once in
// 10^9: Chernoff's bound (Hoeffding, "Probability inequalities for sums of bounded random
// variables", JASA 58, 1963, theorem 1), P(K >= qn) <= ((p/q)^q ((1-p)/(1-q))^(1-q))^n for q > p
// and alike below, each side taking half of the 10^-9. All exact. Throws std::invalid_argument
// unless 0
// <= ups <= roundings, 0 < roundings, and 0 <= chance <= 1.
bool is_plausible(std::int64_t ups, std::int64_t roundings, const Rational& chance);

}  // namespace ampcheck::reference
