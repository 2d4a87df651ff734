#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct ReportsInBfloat16 : subject::Textbook {
  double reported_loss(const subject::Backward& micro_batch) override {
    return subject::narrow(Textbook::reported_loss(micro_batch), reference::bfloat16);
  }
};

AMPCHECK_MUTANT(ReportsInBfloat16, "reports-in-bfloat16", "scaling",
                "the loss that is told went through bfloat16");

}  // namespace
}  // namespace ampcheck::properties
