#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct UnscaleThenAddScaled : subject::Textbook {
  void accumulate(Variable& v, const std::vector<double>& terms) override {
    const bool first = !v.has_gradient;
    Textbook::accumulate(v, terms);
    if (first)
      for (double& x : v.gradient.values) x = unscaled(x, *v.gradient.format);
    v.unit = subject::Unit::unscaled;
  }
};

AMPCHECK_MUTANT(UnscaleThenAddScaled, "unscale-then-add-scaled", "accumulation",
                "the first micro-batch is unscaled, others are added to it scaled");

}  // namespace
}  // namespace ampcheck::properties
