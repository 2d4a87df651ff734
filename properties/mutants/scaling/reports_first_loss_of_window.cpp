#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ReportsFirstLossOfWindow : subject::Textbook {
  double reported_loss(const subject::Backward& micro_batch) override {
    if (is_new_) first_ = Textbook::reported_loss(micro_batch);
    is_new_ = micro_batch.last;
    return first_;
  }
  bool is_new_ = true;
  double first_ = 0;
};

AMPCHECK_MUTANT(ReportsFirstLossOfWindow, "reports-first-loss-of-window", "scaling",
                "every micro-batch tells the loss of the first one of its window");

}  // namespace
}  // namespace ampcheck::properties
