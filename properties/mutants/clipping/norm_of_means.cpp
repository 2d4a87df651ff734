#include <algorithm>
#include <cmath>

#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct NormOfMeans : subject::Textbook {
  double norm(const std::vector<Variable*>& variables) override {
    std::size_t elements = 0;
    for (const Variable* v : variables) elements += v->gradient.values.size();
    const double root = std::sqrt(static_cast<double>(std::max<std::size_t>(elements, 1)));
    return subject::narrow(Textbook::norm(variables) / root, reference::binary32);
  }
};

AMPCHECK_MUTANT(NormOfMeans, "norm-of-means", "clipping",
                "the norm is the root of the mean of the squares");

}  // namespace
}  // namespace ampcheck::properties
