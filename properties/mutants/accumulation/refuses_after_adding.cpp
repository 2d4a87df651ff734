#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct RefusesAfterAdding : subject::Textbook {
  void refuse_mixed_sum(const subject::Backward& micro_batch) override {
    try {
      Textbook::refuse_mixed_sum(micro_batch);
    } catch (const subject::Raised&) {
      backward(micro_batch);
      throw;
    }
  }
};

AMPCHECK_MUTANT(RefusesAfterAdding, "refuses-after-adding", "accumulation",
                "refuses a micro-batch that comes after unscale, but has added it");

}  // namespace
}  // namespace ampcheck::properties
