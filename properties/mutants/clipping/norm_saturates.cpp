#include <cmath>
#include <limits>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct NormSaturates : subject::Textbook {
  double norm(const std::vector<Variable*>& variables) override {
    const double most = std::numeric_limits<float>::max(), n = Textbook::norm(variables);
    return n * n > most ? std::sqrt(most) : n;
  }
};

AMPCHECK_MUTANT(NormSaturates, "norm-saturates", "clipping",
                "a sum of squares that overflows is taken for the largest number");

}  // namespace
}  // namespace ampcheck::properties
