#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct DivisorOfTheFirstWindow : subject::Textbook {
  void backward(const subject::Backward& micro_batch) override {
    if (configured_ == 0) configured_ = micro_batch.divide;
    subject::Backward divided = micro_batch;
    divided.divide = configured_;
    Textbook::backward(divided);
  }
  std::int64_t configured_ = 0;
};

AMPCHECK_MUTANT(DivisorOfTheFirstWindow, "divisor-of-the-first-window", "accumulation",
                "every window is divided by the number of micro-batches of the first");

}  // namespace
}  // namespace ampcheck::properties
