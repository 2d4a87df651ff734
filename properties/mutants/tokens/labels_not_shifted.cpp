#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct LabelsNotShifted : subject::Textbook {
  std::vector<std::int64_t> targets(const subject::TokenWindow& window,
                                    const subject::TokenMicroBatch& micro_batch) override {
    subject::TokenWindow still = window;
    still.shift = 0;
    return Textbook::targets(still, micro_batch);
  }
};

AMPCHECK_MUTANT(LabelsNotShifted, "labels-not-shifted", "tokens",
                "a position is to predict its own label");

}  // namespace
}  // namespace ampcheck::properties
