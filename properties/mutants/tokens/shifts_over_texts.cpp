#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ShiftsOverTexts : subject::Textbook {
  std::vector<std::int64_t> targets(const subject::TokenWindow& window,
                                    const subject::TokenMicroBatch& micro_batch) override {
    subject::TokenMicroBatch one = micro_batch;
    one.rows = 1;
    return Textbook::targets(window, one);
  }
};

AMPCHECK_MUTANT(ShiftsOverTexts, "shifts-over-texts", "tokens",
                "the last position of a text predicts the first label of the next one");

}  // namespace
}  // namespace ampcheck::properties
