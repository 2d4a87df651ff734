#include <cmath>

#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct NormOfMagnitudes : subject::Textbook {
  double norm(const std::vector<Variable*>& variables) override {
    double sum = 0;
    for (const Variable* v : variables)
      for (const double g : v->gradient.values) sum += std::fabs(g);
    return subject::narrow(sum, reference::binary32);
  }
};

AMPCHECK_MUTANT(NormOfMagnitudes, "norm-of-magnitudes", "clipping",
                "the norm is the sum of the magnitudes");

}  // namespace
}  // namespace ampcheck::properties
