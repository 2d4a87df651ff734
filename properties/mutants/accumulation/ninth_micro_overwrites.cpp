#include "properties/mutants/counts_micro_batches.hpp"

namespace ampcheck::properties {
namespace {

struct NinthMicroOverwrites : CountsMicroBatches {
  void accumulate(Variable& v, const std::vector<double>& terms) override {
    if (micro_batches_ > 0 && micro_batches_ % 8 == 0)
      for (double& g : v.gradient.values) g = 0;
    Textbook::accumulate(v, terms);
  }
};

AMPCHECK_MUTANT(NinthMicroOverwrites, "ninth-micro-overwrites", "accumulation",
                "a counter of three bits takes the ninth micro-batch for the first");

}  // namespace
}  // namespace ampcheck::properties
