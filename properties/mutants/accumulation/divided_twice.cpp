#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct DividedTwice : subject::Textbook {
  void backward(const subject::Backward& micro_batch) override {
    subject::Backward twice = micro_batch;
    twice.divide = micro_batch.divide * micro_batch.divide;
    Textbook::backward(twice);
  }
};

AMPCHECK_MUTANT(DividedTwice, "divided-twice", "accumulation",
                "the loss is divided by the number of micro-batches twice");

}  // namespace
}  // namespace ampcheck::properties
