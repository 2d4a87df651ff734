#include <cmath>

#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct NormInHalf : subject::Textbook {
  double norm(const std::vector<Variable*>& variables) override {
    double sum = 0;
    for (const Variable* v : variables)
      for (const double g : v->gradient.values)
        sum =
            subject::narrow(sum + subject::narrow(g * g, reference::binary16), reference::binary16);
    return std::sqrt(sum);
  }
};

AMPCHECK_MUTANT(NormInHalf, "norm-in-half", "clipping", "squares and sums in binary16");

}  // namespace
}  // namespace ampcheck::properties
