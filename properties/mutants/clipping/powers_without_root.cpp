#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct PowersWithoutRoot : subject::Textbook {
  double p_norm(const std::vector<Variable*>& variables, double p) override {
    return std::isinf(p) ? Textbook::p_norm(variables, p)
                         : std::pow(Textbook::p_norm(variables, p), p);
  }
};

AMPCHECK_MUTANT(PowersWithoutRoot, "powers-without-root", "clipping",
                "the sum of powers is taken for the p-norm");

}  // namespace
}  // namespace ampcheck::properties
