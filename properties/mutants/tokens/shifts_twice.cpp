#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ShiftsTwice : subject::Textbook {
  std::vector<std::int64_t> targets(const subject::TokenWindow& window,
                                    const subject::TokenMicroBatch& micro_batch) override {
    subject::TokenMicroBatch once = micro_batch;
    once.labels = Textbook::targets(window, micro_batch);
    return Textbook::targets(window, once);
  }
};

AMPCHECK_MUTANT(ShiftsTwice, "shifts-twice", "tokens",
                "the labels are shifted by the loader and by the model");

}  // namespace
}  // namespace ampcheck::properties
