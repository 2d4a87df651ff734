#include "properties/mutants/counts_micro_batches.hpp"

namespace ampcheck::properties {
namespace {

struct LongWindowCut : CountsMicroBatches {
  void accumulate(Variable& v, const std::vector<double>& terms) override {
    if (configured_ == 0 || micro_batches_ < configured_) Textbook::accumulate(v, terms);
  }
  void update() override {
    if (configured_ == 0) configured_ = micro_batches_;
    CountsMicroBatches::update();
  }
  int configured_ = 0;
};

AMPCHECK_MUTANT(LongWindowCut, "long-window-cut", "accumulation",
                "micro-batches beyond the number of the first window are lost");

}  // namespace
}  // namespace ampcheck::properties
