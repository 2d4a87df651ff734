#include <algorithm>
#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct NormOfLargest : subject::Textbook {
  double norm(const std::vector<Variable*>& variables) override {
    double most = 0;
    for (const Variable* v : variables)
      for (const double g : v->gradient.values) most = std::max(most, std::fabs(g));
    return most;
  }
};

AMPCHECK_MUTANT(NormOfLargest, "norm-of-largest", "clipping", "the norm is the largest magnitude");

}  // namespace
}  // namespace ampcheck::properties
