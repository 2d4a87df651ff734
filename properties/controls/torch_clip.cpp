#include <algorithm>

#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct TorchClip : subject::Textbook {
  double clip_factor(double norm, double limit) override {
    const float reciprocal = 1 / (static_cast<float>(norm) + 1e-6f);
    return std::min(reciprocal * static_cast<float>(limit), 1.0f);
  }
  void clip_norm(const std::vector<Variable*>& variables, double limit) override {
    const double factor = clip_factor(shown_norm(variables), limit);
    for (Variable* v : variables)
      for (double& g : v->gradient.values) g = subject::narrow(g * factor, *v->gradient.format);
  }
};

AMPCHECK_CONTROL(TorchClip, "torch-clip",
                 "(1/(norm + 1e-6))·limit, at most 1, and always multiplied",
                 (PolicyChanges{{"clip_formula", word("reciprocal_product")},
                                {"clip_epsilon", number(1e-6)},
                                {"unneeded_clip", word("multiplies")}}));

}  // namespace
}  // namespace ampcheck::properties
