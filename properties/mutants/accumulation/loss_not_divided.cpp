#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct LossNotDivided : subject::Textbook {
  void backward(const subject::Backward& micro_batch) override {
    subject::Backward undivided = micro_batch;
    undivided.divide = 1;
    Textbook::backward(undivided);
  }
};

AMPCHECK_MUTANT(LossNotDivided, "loss-not-divided", "accumulation",
                "the loss is not divided by the number of micro-batches");

}  // namespace
}  // namespace ampcheck::properties
