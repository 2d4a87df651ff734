// A clip by a norm that is beyond the numbers of its format.
#pragma once

#include <vector>

#include "reference/clipping.hpp"

namespace ampcheck::reference {

// Either the norm is at hand in a wider format, or all is divided by a power of two first: of n
// elements no norm is more than n times the largest, so that one above n brings it back into the
// range. A clip of that has the same roundings.
class ClipBeyondRange {
 public:
  // `wide` has the norm in a wider format. The gradients are those before the clip.
  ClipBeyondRange(const Norm& wide, std::vector<GradientSets> gradients, const Number& limit,
                  const Policy& policy, NormOrder order);

  Admissible operator()(const Admissible& element) const;

 private:
  const Policy& policy_;
  Number limit_, low_limit_;
  Norm wide_, low_;
  int down_;
};

}  // namespace ampcheck::reference
