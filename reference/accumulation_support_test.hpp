// Sums of known numbers.
#pragma once

#include <vector>

#include "reference/accumulation.hpp"
#include "reference/emulation_test.hpp"

namespace ampcheck::reference {

inline Admissible sum(const NumberFormat& f, const std::vector<Number>& terms,
                      const Policy& policy = {}) {
  Sum result(f);
  for (const Number& term : terms) result.add(Admissible::of(term));
  return result.result(policy);
}

inline Policy flushing() {
  Policy policy;
  policy.may_flush = true;
  return policy;
}

}  // namespace ampcheck::reference
