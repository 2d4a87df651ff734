#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ReportsOverFirstScale : subject::Textbook {
  double reported_loss(const subject::Backward& micro_batch) override {
    if (first_ == 0) first_ = scaler_.scale;
    return Textbook::reported_loss(micro_batch) * scaler_.scale / first_;
  }
  double first_ = 0;
};

AMPCHECK_MUTANT(ReportsOverFirstScale, "reports-over-first-scale", "scaling",
                "the scaled loss is told, divided by the scale that the training began with");

}  // namespace
}  // namespace ampcheck::properties
