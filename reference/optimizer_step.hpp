// One step of an optimizer on one element, as sets.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "reference/admissible.hpp"
#include "reference/policy.hpp"

namespace ampcheck::reference {

// Hyper-parameters by name, each with its format. What is absent is 0.
using Hyper = std::map<std::string, Number>;

// SGD: d = g + lambda·p; b = mu·b + (1 - tau)·d, on the first step b = d; p = p - lr·b (without
// momentum, p - lr·d). A finite list: every product and sum rounded to binary32 (the parameter's
// format where that is wider) or to binary64, each on its own or fused as declared;
// hyper-parameters as given or rounded to that; each product and each sum kept in the parameter's
// format or wide; and the exact step rounded once. Intervals give
// the hull over their ends. The gradient is taken as finite.
struct SgdResult {
  Admissible parameter;
  std::optional<Admissible> momentum;  // in binary32 or the parameter's format where that is wider
};
SgdResult sgd_step(const Admissible& parameter, const Admissible& gradient,
                   const std::optional<Admissible>& momentum, const Hyper& hyper,
                   const Policy& policy);

// Adam and AdamW without weight decay. The moments of an element as exact numbers.
struct Moments {
  Rational first, second;
  std::int64_t step = 0;
  bool known = true;
};

// p - lr·m/(1-beta1^t) / (√(v/(1-beta2^t)) + eps), for settings under which m and v are numbers of
// binary32 (beta1 = 7/8, beta2 = 1 - 2^-10 and powers of two as gradients, for two steps); moments
// is moved on. What is left to round are the two bias corrections, two roots, two quotients, a sum
// and two products, so the update is within (1±v)^12 of the exact one. Nothing where these
// conditions fail: then the step is not judged, nor any after it where the moments are not known.
// `v/bc2` must be the square of a rational.
std::optional<Admissible> adam_step(const Admissible& parameter, const Admissible& gradient,
                                    Moments& moments, const Hyper& hyper);

}  // namespace ampcheck::reference
