#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct SumOfSigned : subject::Textbook {
  double p_norm(const std::vector<Variable*>& variables, double p) override {
    if (std::isinf(p)) return Textbook::p_norm(variables, p);
    double sum = 0;
    for (const Variable* v : variables)
      for (const double g : v->gradient.values) sum += std::pow(g, p);
    return std::pow(std::fabs(sum), 1 / p);
  }
};

AMPCHECK_MUTANT(SumOfSigned, "sum-of-signed", "clipping", "odd powers are summed with their signs");

}  // namespace
}  // namespace ampcheck::properties
