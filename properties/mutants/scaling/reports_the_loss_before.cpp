#include <utility>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ReportsTheLossBefore : subject::Textbook {
  double reported_loss(const subject::Backward& micro_batch) override {
    const double last = std::exchange(last_, Textbook::reported_loss(micro_batch));
    return last == 0 ? last_ : last;
  }
  double last_ = 0;
};

AMPCHECK_MUTANT(ReportsTheLossBefore, "reports-the-loss-before", "scaling",
                "the loss of the micro-batch before is told");

}  // namespace
}  // namespace ampcheck::properties
