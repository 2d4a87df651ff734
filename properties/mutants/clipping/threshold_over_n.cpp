#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ThresholdOverN : subject::Textbook {
  void backward(const subject::Backward& micro_batch) override {
    Textbook::backward(micro_batch);
    ++micro_batches_;
  }
  void clip_norm(const std::vector<Variable*>& variables, double limit) override {
    Textbook::clip_norm(variables, limit / std::max(micro_batches_, 1));
  }
  void update() override {
    Textbook::update();
    micro_batches_ = 0;
  }
  int micro_batches_ = 0;
};

AMPCHECK_MUTANT(ThresholdOverN, "threshold-over-n", "clipping",
                "the limit is divided by the number of micro-batches");

}  // namespace
}  // namespace ampcheck::properties
