#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct MaximumLosesNan : subject::Textbook {
  double p_norm(const std::vector<Variable*>& variables, double p) override {
    if (!std::isinf(p)) return Textbook::p_norm(variables, p);
    double most = 0;
    for (const Variable* v : variables)
      for (const double g : v->gradient.values) most = std::fmax(most, std::fabs(g));
    return most;
  }
};

AMPCHECK_MUTANT(MaximumLosesNan, "maximum-loses-nan", "clipping",
                "the inf norm is a maximum that passes over NaN");

}  // namespace
}  // namespace ampcheck::properties
