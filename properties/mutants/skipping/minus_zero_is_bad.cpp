#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct MinusZeroIsBad : subject::Textbook {
  void accumulate(Variable& v, const std::vector<double>& terms) override {
    const bool first = !v.has_gradient;
    Textbook::accumulate(v, terms);
    if (first) v.gradient.values = terms;  // -0 is not added to +0
  }
  bool is_bad(double x) override { return Textbook::is_bad(x) || (x == 0 && std::signbit(x)); }
};

AMPCHECK_MUTANT(MinusZeroIsBad, "minus-zero-is-bad", "skipping", "a negative zero skips the step");

}  // namespace
}  // namespace ampcheck::properties
