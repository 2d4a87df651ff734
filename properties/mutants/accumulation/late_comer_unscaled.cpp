#include "properties/mutants/counts_micro_batches.hpp"

namespace ampcheck::properties {
namespace {

struct LateComerUnscaled : CountsMicroBatches {
  void accumulate(Variable& v, const std::vector<double>& terms) override {
    const bool is_late = micro_batches_ > 0 && !v.has_gradient;
    Textbook::accumulate(v, terms);
    if (is_late)
      for (double& x : v.gradient.values) x = unscaled(x, *v.gradient.format);
  }
};

AMPCHECK_MUTANT(LateComerUnscaled, "late-comer-unscaled", "accumulation",
                "a gradient that the first micro-batch did not have is made unscaled");

}  // namespace
}  // namespace ampcheck::properties
