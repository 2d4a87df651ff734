#include <algorithm>

#include "properties/mutants/counts_micro_batches.hpp"

namespace ampcheck::properties {
namespace {

struct ShortWindowDropped : CountsMicroBatches {
  void take_step(Optimizer& o) override {
    most_ = std::max(most_, micro_batches_);
    if (micro_batches_ == most_) Textbook::take_step(o);
  }
  int most_ = 0;
};

AMPCHECK_MUTANT(ShortWindowDropped, "short-window-dropped", "accumulation",
                "no step is taken on a window that is shorter than those before");

}  // namespace
}  // namespace ampcheck::properties
