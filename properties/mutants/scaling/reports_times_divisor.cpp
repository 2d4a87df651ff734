#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ReportsTimesDivisor : subject::Textbook {
  double reported_loss(const subject::Backward& micro_batch) override {
    return Textbook::reported_loss(micro_batch) * static_cast<double>(micro_batch.divide);
  }
};

AMPCHECK_MUTANT(ReportsTimesDivisor, "reports-times-divisor", "scaling",
                "the loss is told times the divisor of the loop");

}  // namespace
}  // namespace ampcheck::properties
