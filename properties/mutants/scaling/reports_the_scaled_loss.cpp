#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ReportsTheScaledLoss : subject::Textbook {
  double reported_loss(const subject::Backward& micro_batch) override {
    return Textbook::reported_loss(micro_batch) * scaler_.scale;
  }
};

AMPCHECK_MUTANT(ReportsTheScaledLoss, "reports-the-scaled-loss", "scaling",
                "the loss that is told is the scaled one");

}  // namespace
}  // namespace ampcheck::properties
