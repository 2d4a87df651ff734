#include <algorithm>
#include <cmath>

#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct UnderflowIsZero : subject::Textbook {
  double norm(const std::vector<Variable*>& variables) override {
    double sum = 0;
    for (const Variable* v : variables)
      for (const double g : v->gradient.values)
        sum += std::fabs(g) < 1 ? subject::narrow(g * g, reference::binary32) : g * g;
    return std::min(subject::narrow(std::sqrt(sum), reference::binary32),
                    Textbook::norm(variables));
  }
};

AMPCHECK_MUTANT(UnderflowIsZero, "underflow-is-zero", "clipping",
                "squares underflow in binary32, and a norm of zero clips nothing");

}  // namespace
}  // namespace ampcheck::properties
