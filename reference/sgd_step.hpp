// One step of stochastic gradient descent on one element, as sets.
#pragma once

#include <optional>

#include "reference/admissible.hpp"
#include "reference/hyper.hpp"
#include "reference/policy.hpp"

namespace ampcheck::reference {

// d = g + lambda·p; b = mu·b + (1 - tau)·d, on the first step b = d; p = p - lr·b, with Nesterov
// (`nesterov` other than 0) p - lr·(d + mu·b), without momentum p - lr·d. A finite list: every
// product and sum rounded to binary32 (the parameter's format where that is wider) or to binary64,
// each on its own or fused as declared; hyper-parameters, and 1 - tau, as given or rounded to that
// or to the parameter's format; each product and each sum kept in any of these; and the exact step
// rounded once. Intervals give the hull over their ends, and so does a list that has grown long.
// The gradient is taken as finite; what overflows on the way is inf, and goes on as IEEE 754 has
// it.
struct SgdResult {
  Admissible parameter;
  std::optional<Admissible> momentum;  // in binary32 or the parameter's format where that is wider
};
SgdResult sgd_step(const Admissible& parameter, const Admissible& gradient,
                   const std::optional<Admissible>& momentum, const Hyper& hyper,
                   const Policy& policy);

}  // namespace ampcheck::reference
