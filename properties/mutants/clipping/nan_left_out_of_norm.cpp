#include <cmath>

#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct NanLeftOutOfNorm : subject::Textbook {
  double norm(const std::vector<Variable*>& variables) override {
    double sum = 0;
    for (const Variable* v : variables)
      for (const double g : v->gradient.values) sum += std::isnan(g) ? 0 : g * g;
    return subject::narrow(std::sqrt(sum), reference::binary32);
  }
};

AMPCHECK_MUTANT(NanLeftOutOfNorm, "nan-left-out-of-norm", "clipping",
                "elements that are NaN do not count in the norm");

}  // namespace
}  // namespace ampcheck::properties
