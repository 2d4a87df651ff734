#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct LimitTimesGradient : subject::Textbook {
  void clip_norm(const std::vector<Variable*>& variables, double limit) override {
    const double n = shown_norm(variables);
    for (Variable* v : variables)
      for (double& g : v->gradient.values)
        if (n > limit)
          g = subject::narrow(subject::narrow(g * limit, *v->gradient.format) / n,
                              *v->gradient.format);
  }
};

AMPCHECK_MUTANT(LimitTimesGradient, "limit-times-gradient", "clipping",
                "the product with the limit is formed before the quotient, and overflows");

}  // namespace
}  // namespace ampcheck::properties
