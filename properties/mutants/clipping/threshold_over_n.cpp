#include <algorithm>

#include "properties/mutants/counts_micro_batches.hpp"

namespace ampcheck::properties {
namespace {

struct ThresholdOverN : CountsMicroBatches {
  void clip_norm(const std::vector<Variable*>& variables, double limit) override {
    Textbook::clip_norm(variables, limit / std::max(micro_batches_, 1));
  }
};

AMPCHECK_MUTANT(ThresholdOverN, "threshold-over-n", "clipping",
                "the limit is divided by the number of micro-batches");

}  // namespace
}  // namespace ampcheck::properties
