// One step of Adam or AdamW on one element, as sets.
//
// Kingma & Ba, "Adam: a method for stochastic optimization" (ICLR 2015), algorithm 1; Loshchilov &
// Hutter, "Decoupled weight decay regularization" (ICLR 2019), algorithm 2:
//
//   m = beta1·m + (1 - beta1)·g          v = beta2·v + (1 - beta2)·g²
//   U = lr·(m/bc1) / (√(v/bc2) + eps)    bc_i = 1 - beta_i^t    p = p - U
//
// with g + lambda·p for g in Adam, and p·(1 - lr·lambda) for p in AdamW. The policy knows three
// departures: epsilon-hat, U = lr·(√bc2/bc1)·m / (√v + eps) (the remark before section 2.1 of the
// first paper; TensorFlow and Keras); no bias correction, bc_i = 1; decay by lambda alone.
#pragma once

#include <cstdint>
#include <optional>

#include "reference/admissible.hpp"
#include "reference/hyper.hpp"
#include "reference/interval.hpp"
#include "reference/policy.hpp"

namespace ampcheck::reference {

// What Adam keeps of an element, before its first step 0.
struct Moments {
  Interval first, second;  // m and v
  std::int64_t step = 0;   // t: steps taken
  // g² has overflowed, so that v may be inf, and the update 0.
  bool second_may_be_infinite = false;
  bool known = true;  // false: a difference of m and g has overflowed, and anything may follow

  Admissible first_in(const NumberFormat&) const;
  Admissible second_in(const NumberFormat&) const;
};

enum class WeightDecay { coupled, decoupled };  // Adam's and AdamW's

// The parameter after the step; `moments` is moved on. The gradient is finite. Nothing where no set
// can be given: a denominator may be 0, an intermediate result of some form may overflow, such as
// 1/D of a tiny denominator D, or bc1/lr underflow, or the moments are not known.
//
// Let u be the unit roundoff of the parameter's format, in which or in a wider one every operation
// is rounded to nearest, and eta its smallest subnormal (the smallest normal number where results
// may be flushed). What is computed in a wider format and then stored counts as one operation of
// the parameter's: v = u/(1+u) is the error of one rounding, and (1+v)·(1+w)^3 <= 1+u where w is
// that of binary32 and u at least 2^-11, or binary64's and 2^-24.
//
// Settings and moments are intervals, m and v as stored or not:
// - A setting may be used as it is given, rounded to binary32 (or the parameter's format where that
//   is wider), and either rounded to the parameter's format. 1 - beta is formed of beta as given or
//   rounded to the former, never to a shorter format, in which 0.999 may be 1, and may itself be
//   rounded to any of them; so are the bias corrections.
// - m as two products and a sum, or as an interpolation m + (1 - beta1)·(g - m) or
//   g - beta1·(g - m); v as two products and a sum, (1 - beta2)·g² multiplied in any order, or as
//   v + (1 - beta2)·(g² - v). Interval arithmetic with u·|x| + eta for every operation that is not
//   exact; an operation that a fused one spares lies within.
// - beta^t is beta for t = 1, else off by t - 1 roundings of binary32 (or of the parameter's format
//   where that is wider), as a product in any order is, or by 4 units in its last place there, as a
//   pow may be. The difference from 1 is rounded once more. Of bc_i the first is a part of
//   beta^t/(1 - beta^t), by far the largest error of a first few steps.
//
// U is then off by the roundings of a formula in m, v, bc1, bc2, lr and eps, whose ends are those
// of the intervals. One rounding is a factor 1+δ with |δ| <= v. In the denominator 1/(1+δ) lies
// within 1±u, too: 1/(1-v) = 1+u, and 1/(1+v) >= 1-u. √v + eps is a sum of what is not negative,
// and as exact as the worse of both. So k roundings leave U within (1±u)^k. With ½ for what is
// rounded under the root, and an asterisk for a rounding only where a quotient is formed as a
// product with a reciprocal:
//
//   form                     lr, m, bc1                 √(v/bc2)               + eps  ÷    sum
//   torch loop, foreach      lr/bc1, ·m: 2              √v, √bc2, ÷, *: 4        1    1      8
//   torch fused              lr/bc1, ·m: 2              √v, √bc2, ÷: 3           1    1      7
//   torch capturable         lr/bc1: 1                  √v, √bc2·size, ÷: 4      1    1      7
//   torch foreach capturable 1/lr*, bc1·, 1/, D/size: 4 √v, √bc2, ÷, *: 4        1    1     10
//   optax, Apex              m/bc1, *, ·lr: 3           v/bc2 ½, *½, √: 2        1    1      7
//   Keras (epsilon-hat)      lr·√bc2, √bc2, /bc1, ·m: 4 √v: 1                    1    1      7
//   DeepSpeed                lr/bc1, ·: 2               √v, √bc2, 1/, ·: 4       1    1      8
//   all by reciprocals       1/bc1, ·lr, ·m: 3          √v, √bc2, 1/, ·: 4       1    2     10
//
// which binary64 inside or a fused operation only makes less: k = 10. A decay inside of the update,
// lr·(u + lambda·p) or U + lr·lambda·p, has two roundings of its own, of the sum and of its
// product.
//
// What underflows on the way:
// - In the numerator, as a factor or a product, eta/2, with no more than max(1,lr)·max(1,|m|)·
//   (1/bc1)·max(1,1/D) after it, D the denominator. There are four products at most (m, lr, bc1 and
//   D), hence 2·eta times that, and (1+u)^k. √bc2·lr/bc1, by which torch's capturable form divides
//   √v, is as good as a factor of U and leaves 1/√bc2 of the error: the larger of both reciprocals
//   is taken. What is flushed leaves nothing of U, which is then off by U.
// - In the denominator: v/bc2 by eta where it is subnormal, before its root is taken; over the step
//   size both terms and their sum by eta each, which is eta·lr/bc1 of D. A root and a sum of two
//   numbers do not underflow.
// v or v/bc2 may overflow: then U is 0. An interpolation makes NaN of an infinite v one step later.
//
// One pattern where none of the usual forms rounds before the last difference, as in the first step
// with beta1 = 7/8, beta2 = 1 - 2^-10, powers of two for lr and g, and an epsilon that vanishes
// beside the root.
std::optional<Admissible> adam_step(const Admissible& parameter, const Admissible& gradient,
                                    Moments& moments, const Hyper& hyper, WeightDecay decay,
                                    const Policy& policy);

}  // namespace ampcheck::reference
