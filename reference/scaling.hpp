// Rule 1, scaling: the gradient of S·L is S times the gradient of L, and unscaling takes the very S
// away again, once, in a wide format.
#pragma once

#include <optional>

#include "reference/admissible.hpp"
#include "reference/interval.hpp"
#include "reference/policy.hpp"

namespace ampcheck::reference {

// RN(S) in the loss's format: the cotangent that back-propagation starts from.
std::uint64_t seed_of(const Rational& scale, const NumberFormat& loss_format);

// The cotangent behind `loss / n`: RN(seed/n) or RN(seed·RN(1/n)) in the loss's format, or the same
// in binary32 and then narrowed, at most four patterns; n is a number of the loss's format. What a
// micro-batch's mean adds to that is the rounding of the products (delivered) and of their sum
// (accumulation.hpp). The seed may be inf.
Admissible divided_seed(const Number& seed, std::int64_t n);

// RN_F(s·c), what a micro-batch delivers. NaN where c or s is NaN or inf meets zero; a product with
// inf is inf. With `may_flush` also zero where an operand or the result is subnormal.
Admissible delivered(const Number& cotangent, const Number& coefficient, const NumberFormat& f,
                     bool may_flush);

// The values of an unscaled gradient in `output`: for the declared arithmetic RN_G(RN_W(x/S)) or
// RN_G(RN_W(x·RN_V(1/S))), and RN_G(x/S), the exact value rounded once. x as it lies in the
// accumulator; W is the declared width or x's own format where that is wider. A scale that was
// declared in binary64 enters as it is or rounded to binary32, and its reciprocal in binary32 may
// have been rounded to binary64 first (`1. / scale` on the host).
Admissible unscaled(const Number& x, const Rational& scale, const NumberFormat& output,
                    const Policy& policy);

// Bounds of what the declared arithmetic makes of x before it rounds the quotient or product, as a
// fused multiply-add takes it. Nothing where x is not finite, or a reciprocal is not.
std::optional<Interval> unscaled_exactly(const Number& x, const Rational& scale,
                                         const Policy& policy);

// What unscaling takes as its operand (1/S, or S itself) is finite and positive, and so is RN(S) in
// the loss's format: the scale can be used.
bool is_usable(const Rational& scale, const NumberFormat& loss_format, const Policy& policy);

// Adds zero to a set that holds a subnormal number of its format.
void allow_flushing(Admissible& set);

}  // namespace ampcheck::reference
