#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct LargestOfSigned : subject::Textbook {
  double p_norm(const std::vector<Variable*>& variables, double p) override {
    if (!std::isinf(p)) return Textbook::p_norm(variables, p);
    double most = 0;
    for (const Variable* v : variables)
      for (const double g : v->gradient.values) most = std::isnan(g) || g > most ? g : most;
    return most;
  }
};

AMPCHECK_MUTANT(LargestOfSigned, "largest-of-signed", "clipping",
                "the inf norm is the largest element, not the largest magnitude");

}  // namespace
}  // namespace ampcheck::properties
