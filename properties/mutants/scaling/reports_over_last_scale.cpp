#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ReportsOverLastScale : subject::Textbook {
  double reported_loss(const subject::Backward& micro_batch) override {
    const double last = last_ == 0 ? scaler_.scale : last_;
    last_ = scaler_.scale;
    return Textbook::reported_loss(micro_batch) * scaler_.scale / last;
  }
  double last_ = 0;
};

AMPCHECK_MUTANT(ReportsOverLastScale, "reports-over-last-scale", "scaling",
                "the scaled loss is told, divided by the scale of the micro-batch before");

}  // namespace
}  // namespace ampcheck::properties
