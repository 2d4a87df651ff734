#include <cmath>

#include "properties/controls/gradients_as_parameters.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct NarrowNorm : GradientsAsParameters {
  // In the format that holds the others; binary16 and bfloat16 do not hold each other.
  double norm(const std::vector<Variable*>& variables) override {
    const Format* common = nullptr;
    for (const Variable* v : variables) {
      const Format* f = v->gradient.format;
      if (common == nullptr || common->width < f->width)
        common = f;
      else if (common->width == f->width && !(*common == *f))
        common = &reference::binary32;
    }
    const double wide = Textbook::norm(variables);
    const double narrow = common == nullptr ? wide : subject::narrow(wide, *common);
    return std::isinf(narrow) ? wide : narrow;  // limit/inf would clear the gradients
  }
};

AMPCHECK_CONTROL(NarrowNorm, "narrow-norm",
                 "gradients are kept in the parameter's format, and their norm, too",
                 (PolicyChanges{{"accumulator", word("parameter")},
                                {"norm_format", word("gradient")}}));

}  // namespace
}  // namespace ampcheck::properties
