#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ReportsDividedTwice : subject::Textbook {
  double reported_loss(const subject::Backward& micro_batch) override {
    const auto n = static_cast<double>(micro_batch.divide);
    return Textbook::reported_loss(micro_batch) / n / n;
  }
};

AMPCHECK_MUTANT(ReportsDividedTwice, "reports-divided-twice", "scaling",
                "the loss is divided by the loop and once more where it is told");

}  // namespace
}  // namespace ampcheck::properties
