#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct DividesByFourAtMost : subject::Textbook {
  void backward(const subject::Backward& micro_batch) override {
    subject::Backward limited = micro_batch;
    limited.divide = std::min<std::int64_t>(micro_batch.divide, 4);
    Textbook::backward(limited);
  }
};

AMPCHECK_MUTANT(DividesByFourAtMost, "divides-by-four-at-most", "accumulation",
                "the divisor of a loss ends at 4, however many micro-batches there are");

}  // namespace
}  // namespace ampcheck::properties
