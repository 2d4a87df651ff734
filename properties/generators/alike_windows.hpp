// Windows whose clips must agree to the bit: nothing of them rounds before the norm does.
#pragma once

#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {

struct AlikeWindow {
  std::vector<TensorPlan> plans;
  std::vector<subject::Coefficients> coefficients;
  Scalar limit;
};

// Irregular gradients from 2^-3 up, so that sums of their squares hang on the order of additions;
// normal in every format with scales from 2^-10 to 2^10, as all products with those are.
AlikeWindow draw_alike_window(Draw&);
// Others for the same parameters.
std::vector<subject::Coefficients> draw_other_window(Draw&, const std::vector<TensorPlan>&);

// One window of an optimizer o, whose clip and step are looked at.
void add_alike_window(CaseBuilder&, const AlikeWindow&);

}  // namespace ampcheck::properties
