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
// can be given: a denominator may be 0, or the moments are not known.
//
// Let u be the unit roundoff of the parameter's format, in which or in a wider one every operation
// is rounded to nearest, and eta its smallest subnormal (the smallest normal number where results
// may be flushed).
// - A setting may be used as it is given, rounded to binary32 (or the parameter's format where that
//   is wider), or rounded to the parameter's format. 1 - beta is formed of beta as given or rounded
//   to the former, never to a shorter format, in which 0.999 may be 1, and may itself be rounded to
//   any of them; so are the bias corrections.
// - m as two products and a sum, or as an interpolation m + (1 - beta1)·(g - m) or
//   g - beta1·(g - m); v in the same ways, with (1 - beta2)·g² multiplied in any order. Interval
//   arithmetic with u·|x| + eta for every operation that is not exact.
// - beta^t for t > 1 within (1±u')^(t+3) of the exact power, u' the roundoff of binary32 or of the
//   parameter's format where that is wider: a running product (t - 1 roundings) or a pow of up to 4
//   units in the last place. Of bc_i this is a part of beta^t/(1 - beta^t), by far the largest
//   error of a first few steps.
// - U within (1±u)^16 of its exact value at the ends of m, v and bc_i, however the operations are
//   ordered: seven roundings in the numerator (lr, lr/bc1 and its storing, two products, m as
//   stored, 1/bc1), seven in the denominator (v as stored, v/bc2 or √v, the root, √bc2 and its
//   storing, a quotient, eps and the sum count as one each at most), two to spare. Decay inside of
//   the update, lr·(u + lambda·p), has roundings of its own. 1/(1+δ) with |δ| <= u/(1+u) lies
//   within 1±u. Besides an underflow on the way:
//   2·eta·max(1,lr)·max(1,|m|)·(1/bc1)·max(1,1/denominator).
// One pattern where none of the usual forms rounds before the last difference, as in the first step
// with beta1 = 7/8, beta2 = 1 - 2^-10, powers of two for lr and g, and an epsilon that vanishes
// beside the root.
std::optional<Admissible> adam_step(const Admissible& parameter, const Admissible& gradient,
                                    Moments& moments, const Hyper& hyper, WeightDecay decay,
                                    const Policy& policy);

}  // namespace ampcheck::reference
