#include <cmath>

#include "properties/controls/gradients_as_parameters.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct NarrowNorm : GradientsAsParameters {
  // In the widest of their formats.
  double norm(const std::vector<Variable*>& variables) override {
    const double wide = Textbook::norm(variables);
    const Format* widest = nullptr;
    for (const Variable* v : variables)
      if (widest == nullptr || v->gradient.format->fraction_bits > widest->fraction_bits)
        widest = v->gradient.format;
    const double narrow = widest == nullptr ? wide : subject::narrow(wide, *widest);
    return std::isinf(narrow) ? wide : narrow;  // limit/inf would clear the gradients
  }
};

AMPCHECK_CONTROL(NarrowNorm, "narrow-norm",
                 "gradients are kept in the parameter's format, and their norm, too",
                 (PolicyChanges{{"accumulator", word("parameter")},
                                {"norm_format", word("gradient")}}));

}  // namespace
}  // namespace ampcheck::properties
